// Reads package-lock.json. Runs before anything is installed: no imports of packages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {Partial<Record<typeof dependencyKinds[number], Record<string, string>>>} Dependencies
 * @typedef {Dependencies & { name?: string, version?: string, integrity?: string, resolved?: string, license?: string, link?: boolean,
 *   dev?: boolean, devOptional?: boolean, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages by folder
 */

const dependencyKinds = /** @type {const} */ ([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
export function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * The package name in a path of the lockfile.
 * @param {string} path such as node_modules/a/node_modules/@b/c
 */
export function packageName(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/**
 * Every start checks this; npm does so only when it installs.
 * @param {string} root the folder of the repository
 * @param {LockedPackages} locked
 * @returns {string | undefined} the first package.json that asks for other packages than are locked
 */
export function findUnlocked(root, locked) {
  const own = Object.entries(locked).filter(([path]) => !path.includes('node_modules/'));
  return own
    .map(([path, entry]) => ({ file: join(path, 'package.json'), entry }))
    .filter(({ file }) => existsSync(join(root, file)))
    .find(({ file, entry }) => {
      /** @type {Dependencies} */
      const wanted = JSON.parse(readFileSync(join(root, file), 'utf8'));
      return dependencyKinds.some((kind) => !isSame(wanted[kind], entry[kind]));
    })?.file;
}

/**
 * @param {Record<string, string>} [wanted]
 * @param {Record<string, string>} [locked]
 */
function isSame(wanted = {}, locked = {}) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(locked)]);
  return [...names].every((name) => wanted[name] === locked[name]);
}
