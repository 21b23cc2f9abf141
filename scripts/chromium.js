import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, installCommand, installFromDebian } from './debian.js';
import { runInstalled } from './run.js';

/**
 * `shell` is the same engine without its desktop parts, which needs half the processor time per page but has no PDF
 * viewer. Where it is missing, `shell` is the browser.
 * @typedef {{ path: string, shell: string } | { problem: string }} Chromium
 */

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const shellNames = ['chromium-headless-shell'];
const advice =
  'Chromium is missing: install chromium with your package manager ' +
  `(as root on Debian: ${installCommand(['chromium'])}), or name one in CHROMIUM_PATH.`;

/**
 * The browser for the tests: the one in CHROMIUM_PATH, the machine's, Playwright's, or a newly installed one.
 * @returns {Promise<Chromium>}
 */
export async function findOrInstallChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return isRunnable(named)
      ? { path: named, shell: named }
      : { problem: `CHROMIUM_PATH is ${named}, which cannot be run.` };
  }
  if (canInstall() && !(findOnPath(browserNames) && findOnPath(shellNames))) {
    installFromDebian(['chromium']);
    // Separately, because not every Debian release has it.
    installFromDebian(shellNames);
  }
  const path = findOnPath(browserNames) ?? (await findInPlaywright()) ?? (await installWithPlaywright());
  return path ? { path, shell: findOnPath(shellNames) ?? path } : { problem: advice };
}

/**
 * Some existing programs are stubs that ask to install something else.
 * @param {string} path
 */
function isRunnable(path) {
  return (
    existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
  );
}

/**
 * @param {string[]} names
 * @returns {string | undefined}
 */
function findOnPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isRunnable);
}

/** @returns {Promise<string | undefined>} */
async function findInPlaywright() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return isRunnable(path) ? path : undefined;
}

/** @returns {Promise<string | undefined>} */
async function installWithPlaywright() {
  await runInstalled('playwright', ['install', 'chromium']);
  return findInPlaywright();
}
