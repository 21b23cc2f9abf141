// Runs before anything is installed: no imports of packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageName, readLock } from './lockfile.js';

/** @typedef {Record<string, string>} Scripts names of packages, and which content of theirs */

/**
 * The packages whose install scripts are allowed by name in package.json and have not run yet.
 * @param {string} root the folder of the repository
 * @returns {Scripts}
 */
export function scriptsToRun(root) {
  const allowed = readJson(join(root, 'package.json')).allowScripts ?? {};
  const done = readJson(recordFile(root));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json')) ?? {};
  const scripts = Object.entries(installed)
    .filter(([path, { hasInstallScript }]) => hasInstallScript && allowed[packageName(path)] === true)
    .map(([path, { integrity = '' }]) => [packageName(path), integrity]);
  const isToRun = scripts.some(([name = '', integrity]) => done[name] !== integrity);
  return isToRun ? Object.fromEntries(scripts) : {};
}

/**
 * @param {string} root
 * @param {Scripts} scripts
 */
export function recordScriptsRun(root, scripts) {
  writeFileSync(recordFile(root), JSON.stringify(scripts));
}

/**
 * Goes with the packages when they are installed anew.
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
