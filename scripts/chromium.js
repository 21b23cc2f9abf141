import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, installCommand, installFromDebian } from './debian.js';
import { runInstalled } from './run.js';

/**
 * `shell` is the same engine without the parts for a desktop: half the work for each page, but no viewer for PDFs.
 * Where there is none, it is the browser itself.
 * @typedef {{ path: string, shell: string } | { problem: string }} Chromium
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELL_NAMES = ['chromium-headless-shell'];
const ADVICE =
  'Chromium is missing: install chromium with your package manager ' +
  `(as root on Debian: ${installCommand(['chromium'])}), or name one in CHROMIUM_PATH.`;

/**
 * The browser for the tests: the one that was named, the machine's own, Playwright's, or a newly installed one.
 * @returns {Promise<Chromium>}
 */
export async function findOrInstallChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return works(named)
      ? { path: named, shell: named }
      : { problem: `CHROMIUM_PATH is ${named}, which cannot be run.` };
  }
  if (canInstall() && !(onPath(NAMES) && onPath(SHELL_NAMES))) {
    installFromDebian(['chromium']);
    // Not every release has it, and the browser alone will do.
    installFromDebian(SHELL_NAMES);
  }
  const path = onPath(NAMES) ?? (await playwrightsOwn()) ?? (await installWithPlaywright());
  return path ? { path, shell: onPath(SHELL_NAMES) ?? path } : { problem: ADVICE };
}

/**
 * Being there is not enough: some are stubs that ask for something else to be installed.
 * @param {string} path
 */
function works(path) {
  return (
    existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
  );
}

/**
 * @param {string[]} names
 * @returns {string | undefined}
 */
function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(works);
}

/** @returns {Promise<string | undefined>} */
async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return works(path) ? path : undefined;
}

/** @returns {Promise<string | undefined>} */
async function installWithPlaywright() {
  await runInstalled('playwright', ['install', 'chromium']);
  return playwrightsOwn();
}
