import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseEnvironment } from '@customer-database/testkit/base-environment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../../scripts/build.js';

const dist = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'no-network-'));
  expect(await buildIfStale()).toBe(0);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Used = { statuses: Record<string, number>; policies: string[] };

function useEverything(before: string[], options: string[]): Used {
  const [program = '', ...args] = [...before, process.execPath, here('use-everything.ts'), ...options];
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...baseEnvironment(), CONNECTIONS_FILE: recordFile() },
  });
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  return JSON.parse(stdout);
}

const isHere = (address: string) =>
  /^(127\.0\.0\.1|::1|localhost)( |$)/.test(address) || address.startsWith('/');

const recording = ['--import', here('record-connections.ts')];
const recordFile = () => join(folder, 'connections');
const recorded = () => readFileSync(recordFile(), 'utf8').trimEnd().split('\n');

const withoutNetwork = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const hasNamespaces = spawnSync('unshare', [...withoutNetwork.slice(1), 'true']).status === 0;

describe('The server', () => {
  // Cutting off the network needs root and the commands unshare and ip.
  it(`connects only to its own database in use${hasNamespaces ? ', on a machine without a network' : ''}`, () => {
    const { statuses, policies } = useEverything(hasNamespaces ? withoutNetwork : [], recording);
    expect(Object.keys(statuses).length).toBeGreaterThan(30);
    expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([]);
    expect(recorded().length).toBeGreaterThan(1);
    expect(recorded().filter((address) => !isHere(address))).toEqual([]);
    expect(policies.length).toBeGreaterThan(0);
    for (const policy of policies) expect(policy).not.toMatch(/https?:|wss?:|\*/);
  }, 120_000);

  it('would be caught if it connected elsewhere in any way', () => {
    const connections = {
      "await fetch('http://away.invalid').catch(() => 0)": 'away.invalid 80',
      "await fetch('https://away.invalid:444').catch(() => 0)": 'away.invalid 444',
      "(await import('node:net')).connect(81, 'away.invalid').on('error', () => 0)": 'away.invalid 81',
      "(await import('node:tls')).connect({ host: 'away.invalid', port: 82 }).on('error', () => 0)":
        'away.invalid 82',
      "await (await import('node:dns/promises')).resolve4('away.invalid').catch(() => 0)":
        'away.invalid by name',
      "(await import('node:dgram')).createSocket('udp4').send('x', 83, 'away.invalid', () => process.exit())":
        'datagram x,away.invalid',
    };
    rmSync(recordFile(), { force: true });
    const code = Object.keys(connections).join(';');
    spawnSync(process.execPath, [...recording, '--input-type=module', '-e', code], {
      env: { CONNECTIONS_FILE: recordFile() },
    });
    expect(recorded()).toEqual(expect.arrayContaining(Object.values(connections)));
  });
});

describe('The built pages', () => {
  // XML namespaces, also of PDF and Word, developers' messages, licences and placeholder URLs.
  const namedOnly = new Set([
    'www.w3.org',
    'json-schema.org',
    'react.dev',
    'reactrouter.com',
    'mantine.dev',
    'github.com',
    'developer.mozilla.org',
    'localhost',
    'simplewebauthn.dev',
    'schemas.openxmlformats.org',
    'schemas.microsoft.com',
    'www.xfa.org',
    'ns.adobe.com',
    'docx',
    'stuk.github.io',
    'www.apache.org',
    'www.mozilla.org',
    'example.com',
    'foo.bar',
  ]);

  async function contentsOf(pattern: string): Promise<[file: string, content: string][]> {
    const contents: [string, string][] = [];
    for await (const file of glob(pattern, { cwd: dist })) {
      contents.push([file, await readFile(join(dist, file), 'utf8')]);
    }
    expect(contents.length).toBeGreaterThan(0);
    return contents;
  }

  it('load scripts, styles, fonts and images only from this server', async () => {
    for (const [file, content] of await contentsOf('**/*.{html,svg}')) {
      const targets = [...content.matchAll(/\b(?:src|href|srcset|action)="([^"]*)"/g)].map(([, to]) => to);
      for (const target of targets) expect(target, file).toMatch(/^\/(?!\/)/);
    }
    for (const [file, text] of await contentsOf('**/*.css')) {
      // A picture inside of the file may refer to its own parts.
      const content = text.replaceAll(/url\("data:[^"]*"\)/g, '');
      const targets = [...content.matchAll(/url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g)];
      for (const [, url, imported] of targets)
        expect(url ?? imported, file).toMatch(/^(\/(?!\/)|\.\/|data:|#)/);
      expect(content, file).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/);
    }
  });

  it('contain other hosts only as names and texts', async () => {
    for (const [file, content] of await contentsOf('**/*.js')) {
      const hosts = [...content.matchAll(/\b(?:https?|wss?):\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host);
      for (const host of hosts) expect(namedOnly, file).toContain(host);
    }
  });
});
