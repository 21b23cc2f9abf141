import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stampOfSources } from './build-stamp.js';
import { root } from './install.js';
import { precompress } from './precompress.js';
import { runInstalled } from './run.js';

const web = join(root, 'web');
const dist = join(web, 'dist');
const unfinishedPrefix = '.building-';
const oneHourMs = 3_600_000;
const maxAttempts = 5;

/** Builds the pages unless they are up to date; exits when that fails. */
export async function ensureBuilt() {
  const code = await buildIfStale();
  if (code !== 0) process.exit(code);
}

/**
 * Builds next to the old pages and swaps them, so that the pages are never half-built.
 * @returns {Promise<number>} the exit code; when it is not 0, the reason has been printed
 */
export async function buildIfStale() {
  const stamp = stampOfSources();
  if (builtStamp() === stamp) return 0;
  console.error('Building the pages …');
  const folder = join(web, `${unfinishedPrefix}${process.pid}-${Date.now()}`);
  try {
    removeLeftovers();
    mkdirSync(folder);
    const code = await runVite(folder);
    // Above 128: a signal ended Vite, which needs no message.
    if (code > 128) return code;
    if (code !== 0) throw new Error('the reason is above');
    await precompress(folder);
    writeFileSync(join(folder, '.stamp'), stamp);
    putInPlace(folder, stamp);
    return 0;
  } catch (error) {
    console.error(`The pages could not be built: ${reasonOf(error)}`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @returns {Promise<number>} the exit code
 */
function runVite(folder) {
  const args = ['build', web, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  // The server may run with another NODE_ENV; development builds are large and slow.
  return runInstalled('vite', args, { ...process.env, NODE_ENV: 'production' });
}

/** @returns {string | undefined} */
function builtStamp() {
  const file = join(dist, '.stamp');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Another start may replace the pages at the same moment.
 * @param {string} folder
 * @param {string} stamp
 */
function putInPlace(folder, stamp) {
  for (let attempt = 1; builtStamp() !== stamp; attempt += 1) {
    removeOld(`${folder}-old`);
    try {
      renameSync(folder, dist);
    } catch (error) {
      const lostRace = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));
      if (!lostRace || attempt === maxAttempts) throw error;
    }
  }
}

/** @param {string} aside where the old pages move first, because a removal takes longer than a rename */
function removeOld(aside) {
  try {
    renameSync(dist, aside);
  } catch (error) {
    // Folders of a container image can often be removed, but not renamed.
    if (codeOf(error) === 'EXDEV') rmSync(dist, { recursive: true, force: true });
    else if (codeOf(error) !== 'ENOENT') throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

/** Removes the folders of killed builds, but not of one that may still run. */
function removeLeftovers() {
  for (const name of readdirSync(web).filter((entry) => entry.startsWith(unfinishedPrefix))) {
    const age = Date.now() - (statSync(join(web, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > oneHourMs) rmSync(join(web, name), { recursive: true, force: true });
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) {
    return `no permission to write in ${web}. Run npm run build as the user who owns that folder.`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** @param {unknown} error */
function codeOf(error) {
  return String(/** @type {NodeJS.ErrnoException} */ (error).code);
}
