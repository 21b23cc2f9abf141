// Runs before anything is installed, on any Node from 18 on: no imports but Node's own.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const LEAST_NODE_TO_INSTALL = 20;
const LEAST_NODE_TO_RUN = 24;

/**
 * Ends with one line for people, without a stack.
 * @param {string} text
 * @returns {never}
 */
export function giveUp(text) {
  console.error(text);
  process.exit(1);
}

/**
 * Makes sure that the installed packages are the ones in package-lock.json.
 * @param {{ forDevelopment: boolean }} options whether the tools for tests and checks are needed too
 * @returns {Promise<void>}
 */
export async function ensureInstalled({ forDevelopment }) {
  if (ownNodeMajor() < LEAST_NODE_TO_INSTALL) {
    giveUp(
      `Node ${LEAST_NODE_TO_INSTALL} or newer is needed, and this is Node ${process.versions.node}. ` +
        'Get a newer one from https://nodejs.org and try again.',
    );
  }
  if (isInstalled(forDevelopment)) return;
  console.error('Installing the packages this version needs. This takes a minute, and is done once …');
  const { code, errors } = await runNpm([
    ...['ci', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--include=optional'],
    ...(forDevelopment ? ['--include=dev'] : []),
  ]);
  if (code !== 0) giveUp(`\nThe installation failed. ${adviceFor(errors)}`);
}

/**
 * The Node that runs the product: the pinned one that npm installs, or the machine's own where npm has none.
 * @returns {string}
 */
export function findNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (ownNodeMajor() >= LEAST_NODE_TO_RUN) return process.execPath;
  return giveUp(
    `Node ${LEAST_NODE_TO_RUN} or newer is needed on this platform (${process.platform} ${process.arch}), ` +
      `and this is Node ${process.versions.node}. Get it from https://nodejs.org and try again.`,
  );
}

function ownNodeMajor() {
  return Number.parseInt(process.versions.node, 10);
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, dev?: boolean, devOptional?: boolean,
 *   optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/**
 * Compares package-lock.json with npm's own record of what it installed, which npm writes last.
 * @param {boolean} forDevelopment
 */
function isInstalled(forDevelopment) {
  const wanted = readLock(join(root, 'package-lock.json'));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  const fromOtherMachine = Object.values(installed).some((found) => !suitsThisMachine(found));
  if (fromOtherMachine) return false;
  return Object.entries(wanted).every(([path, locked]) => {
    const found = installed[path];
    if (found) return found.version === locked.version && found.integrity === locked.integrity;
    if (path === '' || locked.optional) return true;
    return !forDevelopment && (locked.dev === true || locked.devOptional === true);
  });
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {LockedPackage} installed */
function suitsThisMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/**
 * @param {string[] | undefined} list names, or names with `!` in front that are not allowed
 * @param {string} name
 */
function allows(list, name) {
  if (!list || list.length === 0) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((entry) => entry.startsWith('!'));
}

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, errors: string }>}
 */
function runNpm(args) {
  // Inside `npm start` the npm in use is known; it need not be the first one on the path.
  const current = process.env.npm_execpath ?? '';
  const [program, first] = basename(current) === 'npm-cli.js' ? [process.execPath, [current]] : ['npm', []];
  return new Promise((resolve) => {
    const npm = spawn(program, [...first, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    npm.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
      process.stderr.write(text);
    });
    npm.once('error', (error) => resolve({ code: 1, errors: `npm could not be run: ${error.message}` }));
    npm.once('close', (code) => resolve({ code: code ?? 1, errors }));
  });
}

/** @param {string} errors what npm wrote */
function adviceFor(errors) {
  if (/npm could not be run/.test(errors)) return `${errors}. Install npm, which comes with Node.`;
  if (/ENOSPC|EDQUOT/.test(errors)) return 'The disk is full: free some space and try again.';
  if (/EACCES|EPERM|EROFS/.test(errors)) {
    return `No permission to write in ${root}: try again as the user who owns that folder.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EIDLETIMEOUT|CERT|network/i.test(
      errors,
    )
  ) {
    return 'The npm registry could not be reached: check the network, the proxy, and `npm config get registry`.';
  }
  return 'The reason is above; when it is solved, try again.';
}
