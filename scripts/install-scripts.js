// Runs before anything is installed: no imports of packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageName, readLock } from './lockfile.js';

/** @typedef {Record<string, string>} Scripts integrity hashes by package name */

/**
 * The packages whose install scripts are allowed by name in package.json and have not run yet.
 * @param {string} root the folder of the repository
 * @returns {Scripts}
 */
export function pendingScripts(root) {
  const allowed = readJson(join(root, 'package.json')).allowScripts ?? {};
  const done = readJson(recordFile(root));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json')) ?? {};
  const scripts = Object.entries(installed)
    .filter(([path, { hasInstallScript }]) => hasInstallScript && allowed[packageName(path)] === true)
    .map(([path, { integrity = '' }]) => [packageName(path), integrity]);
  const isPending = scripts.some(([name = '', integrity]) => done[name] !== integrity);
  return isPending ? Object.fromEntries(scripts) : {};
}

/**
 * @param {string} root
 * @param {Scripts} scripts
 */
export function recordScriptsRun(root, scripts) {
  writeFileSync(recordFile(root), JSON.stringify(scripts));
}

/**
 * Lies in node_modules, so that a new installation removes it.
 * @param {string} root
 */
function recordFile(root) {
  return join(root, 'node_modules', '.install-scripts.json');
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
