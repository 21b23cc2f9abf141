import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, installCommand, installFromDebian } from './debian.js';
import { runInstalled } from './run.js';

/** @typedef {{ path: string } | { problem: string }} Chromium */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
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
    return works(named) ? { path: named } : { problem: `CHROMIUM_PATH is ${named}, which cannot be run.` };
  }
  const found = onPath() ?? (await playwrightsOwn());
  if (found) return { path: found };
  const installed = installWithApt() ?? (await installWithPlaywright());
  return installed ? { path: installed } : { problem: ADVICE };
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

/** @returns {string | undefined} */
function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(works);
}

/** @returns {Promise<string | undefined>} */
async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return works(path) ? path : undefined;
}

/** @returns {string | undefined} */
function installWithApt() {
  if (!canInstall()) return undefined;
  installFromDebian(['chromium']);
  return onPath();
}

/** @returns {Promise<string | undefined>} */
async function installWithPlaywright() {
  await runInstalled('playwright', ['install', 'chromium']);
  return playwrightsOwn();
}
