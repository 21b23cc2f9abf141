import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@customer-database/testkit/backups';
import { afterFile, afterTest } from '@customer-database/testkit/cleanup';
import { whyMissing } from '@customer-database/testkit/debian-package';
import { openReader } from '@customer-database/testkit/extraction';
import { libreOffice } from '@customer-database/testkit/libreoffice';
import { samples } from '@customer-database/testkit/samples';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JailLimits } from '../../src/converter/jail.ts';
import { createLibreOffice } from '../../src/converter/libreoffice.ts';
import { conversionLimits, findProgram, openConverter } from '../../src/converter/open.ts';
import { ConversionFailed, ConverterClosed, ConverterUnavailable } from '../../src/converter/port.ts';
import { programOf } from './fake-program.ts';
import {
  bombDocx,
  docxOf,
  flatPackage,
  paragraph,
  reachingDocx,
  reachingRtf,
  wordXml,
} from './hostile-documents.ts';

const megabyte = 1024 * 1024;
const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const openAndConvert = fileURLToPath(new URL('./open-and-convert.ts', import.meta.url));
const dyingServer = fileURLToPath(new URL('./dying-server.ts', import.meta.url));
const reader = openReader();

function converterWith(limits: Partial<JailLimits>, program: string, hidden: string[] = []) {
  const converter = createLibreOffice({ program, hidden }, { ...conversionLimits, ...limits });
  afterFile(() => converter.close());
  return converter;
}

/** The command lines of all processes of this machine that contain this text. */
async function processesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob('/proc/[0-9]*/cmdline')) {
    const line = await readFile(path, 'latin1').catch(() => '');
    if (line.includes(text)) found.push(path);
  }
  return found;
}

async function listen(): Promise<{ port: number; received: () => number }> {
  let received = 0;
  const server = createServer((socket) => {
    received += 1;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterTest(async () => void server.close());
  return { port: (server.address() as AddressInfo).port, received: () => received };
}

const limits: JailLimits = { ...conversionLimits };
const converter = createLibreOffice({ program: findProgram() ?? '', hidden: [root] }, limits);
afterFile(() => converter.close());

// Processes of the lowest priority wait on a busy machine.
describe.skipIf(whyMissing(libreOffice))('LibreOffice', { timeout: 240_000 }, () => {
  it('makes PDFs of Word documents', async () => {
    const docx = await converter.convert(docxOf(paragraph('Hydrangea').repeat(100)), '.docx');
    expect(await reader.textOf(docx)).toMatch(/^(Hydrangea\s*){100}$/);
    expect(await reader.textOf(await converter.convert(samples.doc, '.doc'))).not.toBe('');
    const xml = Buffer.from(wordXml('Dahlia'));
    expect(await reader.textOf(await converter.convert(xml, '.doc'))).toBe('Dahlia');
  });

  it('shows no document as its source', async () => {
    for (const bytes of [flatPackage, wordXml('Dahlia').slice(0, -9)]) {
      await expect(converter.convert(Buffer.from(bytes), '.doc')).rejects.toThrow(ConversionFailed);
    }
  });

  it('reaches neither files nor the network, whatever a document asks for', async () => {
    const { port, received } = await listen();
    const secret = join(await temporaryFolder(), 'secret.txt');
    await writeFile(secret, 'Rosebud');
    for (const [bytes, extension] of [
      [reachingDocx(port, ['/etc/passwd', secret]), '.docx'],
      [reachingRtf(port, ['/etc/passwd', secret]), '.doc'],
    ] as const) {
      const text = await reader.textOf(await converter.convert(bytes, extension));
      expect(text).toContain('Reaching out');
      expect(text).not.toMatch(/Rosebud|root:/);
    }
    expect(received()).toBe(0);
  });

  it('is ended when a document takes too long, and converts the next one', async () => {
    limits.cpuMs = 3_000;
    await expect(converter.convert(bombDocx(), '.docx')).rejects.toThrow('it took too long to convert');
    limits.cpuMs = conversionLimits.cpuMs;
    await converter.convert(docxOf(paragraph('Next')), '.docx');
  });
});

describe('What runs in the place of LibreOffice', { timeout: 120_000 }, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder, 'secret.key'), 'secret');
  });

  const outputOf = async (script: string, limits: Partial<JailLimits> = {}, hidden: string[] = []) =>
    String(await converterWith(limits, await programOf(script), hidden).convert(Buffer.from('x'), '.doc'));

  it('sees nothing of this machine but its programs', async () => {
    const { port, received } = await listen();
    process.env.PROBED_SECRET = 'Rosebud';
    const paths = [root, folder, '/etc/passwd', '/etc/shadow', '/root', '/home', '/var/log', '/run', '/sys'];
    const output = await outputOf(`exec >/tmp/document.pdf
echo %PDF-
for path in ${paths.join(' ')} ${join(folder, 'secret.key')}; do [ -e $path ] && echo "sees $path"; done
echo x >/usr/bin/x && echo 'writes programs'
echo x >/x && echo 'writes the root'
mount -t tmpfs tmpfs /tmp && echo mounts
unshare --user --map-root-user true && echo 'makes namespaces'
bash -c 'echo x >/dev/tcp/127.0.0.1/${port}' && echo connects
kill -KILL 1 ${process.pid} && echo kills
cat /proc/1/environ && echo 'reads an environment'
ls -d /proc/[0-9]* | grep -qx /proc/1 && echo 'sees the first process'
grep -q '^CapBnd:.*[1-9a-f]' /proc/self/status && echo 'may get rights'
env
nice
echo %%EOF`);
    delete process.env.PROBED_SECRET;
    const lines = output.trim().split('\n').slice(1, -1);
    const names = lines.slice(0, -1).map((line) => line.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['HOME', 'LANG', 'OLDPWD', 'PATH', 'PWD', 'SAL_USE_VCLPLUGIN']));
    expect(lines.at(-1)).toBe('19');
    expect(received()).toBe(0);
  });

  it('does not see hidden folders inside of visible ones', async () => {
    const program = await programOf('');
    const inside = join(program, '../../data');
    await mkdir(inside);
    await writeFile(join(inside, 'secret.key'), 'secret');
    await writeFile(
      program,
      `#!/bin/sh\n{ echo %PDF-; ls ${inside} ${inside}/secret.key; echo %%EOF; } >/tmp/document.pdf 2>&1`,
    );
    const hiding = converterWith({}, program, [inside]);
    expect(String(await hiding.convert(Buffer.from('x'), '.doc'))).not.toMatch(/^secret|^\/.*secret.key$/m);
  });

  it('leaves nothing behind for the next document', async () => {
    const program = await programOf(
      '{ echo %PDF-; ls /tmp /tmp/profile; echo %%EOF; } >/tmp/document.pdf; echo x >/tmp/left',
    );
    const leaving = converterWith({}, program);
    await leaving.convert(Buffer.from('x'), '.doc');
    expect(String(await leaving.convert(Buffer.from('x'), '.doc'))).not.toContain('left');
  });

  it.each([
    ['time', 'sleep 1000', { timeoutMs: 2_000 }, 'it took too long to convert'],
    ['processor time', 'while :; do :; done', { cpuMs: 1_000 }, 'it took too long to convert'],
    [
      'memory',
      'x=$(head -c 400m /dev/zero | tr "\\0" x)',
      { maxResidentBytes: 100 * megabyte },
      /too much memory|cannot/,
    ],
    [
      'a large PDF',
      '{ echo %PDF-; head -c 9m /dev/urandom; } >/tmp/document.pdf',
      { maxPdfBytes: megabyte },
      'its PDF would be too large',
    ],
  ])('is ended when it takes too much: %s', async (_what, script, limits, message) => {
    const program = await programOf(`grep -q 'One line' /tmp/document.doc || { ${script}; exit; }
echo %PDF- %%EOF >/tmp/document.pdf`);
    const bounded = converterWith(limits, program);
    await expect(bounded.convert(Buffer.from('x'), '.doc')).rejects.toThrow(message);
    expect(await processesWith(program)).toEqual([]);
    expect(String(await bounded.convert(Buffer.from('One line'), '.doc'))).toContain('%PDF-');
  });

  it('cannot fill the machine with processes or its folder with files', async () => {
    const output = await outputOf(`exec >/tmp/document.pdf 2>/dev/null
echo %PDF-
for i in $(seq 20); do head -c 30m /dev/urandom >/tmp/file$i || break; done; du -sm /tmp | cut -f1; rm /tmp/file*
(trap 'kill $started' EXIT; while :; do sleep 1000 & started="$started $!"; count=$((count + 1)); echo $count >/tmp/count; done)
cat /tmp/count; echo %%EOF`);
    const [, megabytes, processes] = output.split('\n').map(Number);
    expect(processes).toBeLessThan(140);
    expect(megabytes).toBeLessThan(257);
  });

  it('ends with the server, even when that is killed', async () => {
    const mark = `98765${process.pid}`;
    const program = await programOf(`sleep ${mark}`);
    const server = spawn(process.execPath, [dyingServer, program], { stdio: 'inherit' });
    await expect.poll(() => processesWith(`sleep\0${mark}`), { timeout: 30_000 }).toHaveLength(1);
    server.kill('SIGKILL');
    await expect.poll(() => processesWith(`sleep\0${mark}`), { timeout: 30_000 }).toEqual([]);
    expect(await processesWith(program)).toEqual([]);
  });

  it('ends at a shutdown', async () => {
    const mark = `87654${process.pid}`;
    const closing = converterWith({}, await programOf(`sleep ${mark}`));
    const running = closing.convert(Buffer.from('x'), '.doc');
    running.catch(() => undefined);
    await expect.poll(() => processesWith(`sleep\0${mark}`), { timeout: 30_000 }).toHaveLength(1);
    await closing.close();
    await expect(running).rejects.toThrow(ConverterClosed);
    expect(await processesWith(`sleep\0${mark}`)).toEqual([]);
  });

  it('is blamed for a failure only if it converts no other document either', async () => {
    const broken = converterWith({}, await programOf('exit 1'));
    await expect(broken.convert(Buffer.from('x'), '.doc')).rejects.toThrow(ConverterUnavailable);
  });
});

/** The output of a server that may do less than this process. */
async function openBehind(command: string[]): Promise<string> {
  const [program = '', ...args] = [...command, process.execPath, openAndConvert];
  return (await promisify(execFile)(program, args)).stdout;
}

describe('The start of the converter', { timeout: 240_000 }, () => {
  const { signal } = new AbortController();
  const settings = { docxPreview: 'libreoffice', dataDir: '/nowhere' } as const;
  const withPath = async <T>(path: string, run: () => Promise<T>): Promise<T> => {
    const before = process.env.PATH;
    process.env.PATH = path;
    try {
      return await run();
    } finally {
      process.env.PATH = before;
    }
  };

  it('needs LibreOffice, and says what to install', async () => {
    await expect(withPath('/nowhere', () => openConverter(settings, signal))).rejects.toThrow(
      /needs LibreOffice, which is not installed.*libreoffice-writer-nogui/,
    );
    expect(await openConverter({ ...settings, docxPreview: 'built-in' }, signal)).toBeUndefined();
  });

  const needsBoth = process.getuid?.() !== 0 || whyMissing(libreOffice) !== '';

  it.skipIf(needsBoth)(
    'fails where LibreOffice cannot be isolated, instead of running it without',
    async () => {
      // A container has a root without this right.
      expect(await openBehind(['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin'])).toMatch(
        /^ConverterUnavailable: DOCX_PREVIEW=libreoffice: LibreOffice cannot be isolated here \(.*Operation not permitted/,
      );
    },
  );

  it.skipIf(needsBoth)('succeeds without root, where user namespaces are allowed', async () => {
    expect(await openBehind(['unshare', '--user', '--map-user=1000', '--map-group=1000'])).toBe('%PDF-');
  });
});
