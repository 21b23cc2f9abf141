import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));
let home: string;
let made: string;
let folder: string;

/** Without the settings of the npm that runs this test. */
const cleanEnvironment = () => ({ PATH: process.env.PATH, HOME: home });

function npm(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    env: cleanEnvironment(),
  });
  if (status !== 0) throw new Error(stderr);
}

const writeJson = (file: string, content: unknown) => writeFileSync(file, JSON.stringify(content));

/** A package that leaves a file behind when its install script runs. */
function pack(name: string): void {
  const source = join(home, name);
  mkdirSync(source);
  writeJson(join(source, 'package.json'), {
    name,
    version: '1.0.0',
    scripts: { postinstall: `node -e "require('fs').writeFileSync('ran', '')"` },
  });
  npm(made, 'pack', source);
}

const manifest = {
  name: 'small',
  version: '1.0.0',
  type: 'module',
  dependencies: { 'small-part': 'file:small-part-1.0.0.tgz' },
};

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'install-'));
  made = join(home, 'made');
  mkdirSync(made);
  pack('small-part');
  for (const file of ['install.js', 'lockfile.js']) {
    cpSync(join(scripts, file), join(made, 'scripts', file));
  }
  writeJson(join(made, 'package.json'), manifest);
  npm(made, 'install', '--package-lock-only', '--ignore-scripts');
}, 60_000);

beforeEach(() => {
  folder = mkdtempSync(join(home, 'copy-'));
  cpSync(made, folder, { recursive: true });
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function ensureInstalled(): { status: number | null; errors: string } {
  const call = `import { ensureInstalled } from './scripts/install.js'; await ensureInstalled({ forDevelopment: true });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', call], {
    cwd: folder,
    encoding: 'utf8',
    env: cleanEnvironment(),
  });
  return { status, errors: stderr };
}

const hasRunScript = () => existsSync(join(folder, 'node_modules', 'small-part', 'ran'));

it('installs the packages without running their install scripts', () => {
  expect(ensureInstalled()).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, 'node_modules', 'small-part', 'package.json'))).toBe(true);
  expect(hasRunScript()).toBe(false);
});

it('refuses a package.json that does not match the lock file, even when all is installed', () => {
  const file = join(folder, 'package.json');
  ensureInstalled();
  writeJson(file, { ...manifest, dependencies: { ...manifest.dependencies, more: '1.0.0' } });
  expect(ensureInstalled()).toEqual({
    status: 1,
    errors:
      'package.json asks for other packages than package-lock.json holds. ' +
      'Take both from the same version; after a change of your own, run npm install.\n',
  });
});

it('refuses to continue without package-lock.json', () => {
  rmSync(join(folder, 'package-lock.json'));
  expect(ensureInstalled()).toEqual({
    status: 1,
    errors: 'package-lock.json is missing or cannot be read: take it from this version.\n',
  });
});

it('refuses a package with another checksum than locked', () => {
  const file = join(folder, 'package-lock.json');
  const integrity = /"integrity": "sha512-[^"]+"/;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(integrity, `"integrity": "sha512-${'A'.repeat(86)}=="`),
  );
  const { status, errors } = ensureInstalled();
  expect(status).toBe(1);
  expect(errors).toContain('A package is not the one that package-lock.json names');
  expect(hasRunScript()).toBe(false);
});
