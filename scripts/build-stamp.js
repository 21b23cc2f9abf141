import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.js';

/** The sources of the built pages besides web/ and the settings. */
const sources = [
  'contract/src',
  'packages/words/src',
  'package-lock.json',
  'scripts/build.js',
  'scripts/precompress.js',
];

/** The files that Vite reads settings from, relative to the repository. */
const envFiles = ['.env', '.env.local', '.env.production', '.env.production.local'];

/**
 * A hash that changes when a build would differ.
 * @returns {string}
 */
export function stampOfSources() {
  const hash = createHash('sha256');
  const inWeb = readdirSync(join(root, 'web'))
    .filter((name) => name !== 'dist' && name !== 'node_modules' && !name.startsWith('.'))
    .map((name) => `web/${name}`);
  for (const path of [...inWeb, ...sources].flatMap(filesIn).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  for (const setting of buildSettings()) hash.update(`${setting}\0`);
  return hash.digest('hex');
}

/**
 * @param {string} path of a file or folder, relative to the repository
 * @returns {string[]}
 */
function filesIn(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true })
    .map((name) => `${path}/${String(name)}`)
    .filter((file) => statSync(join(root, file)).isFile());
}

/** Only these settings become part of the pages. */
function buildSettings() {
  const fromFiles = envFiles
    .filter((name) => existsSync(join(root, name)))
    .flatMap((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .filter((line) => /^\s*(export\s+)?VITE_/.test(line))
        .map((line) => `${name} ${line.trim()}`),
    );
  const fromEnvironment = Object.entries(process.env)
    .filter(([name, value]) => name.startsWith('VITE_') && value !== '')
    .map(([name, value]) => `${name}=${value}`);
  return [...fromFiles, ...fromEnvironment.sort()];
}
