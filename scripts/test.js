// npm test                          everything but the long phases
// npm run test:all                  everything, also each fault and each benchmark in short
// npm test -- --quick               checks, and the tests that import what is not committed yet
// npm test -- tests/journeys/upload only these browser tests; all arguments go to Playwright
// npm test -- server/test/accounts  only these other tests; all arguments go to Vitest
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from './build.js';
import { findOrInstallChromium } from './chromium.js';
import { ensureInstalled, root } from './install.js';
import { keepLogs, searchKeptLogs } from './log-search.js';
import { runInstalled, runTool } from './run.js';
import { onDisk, useMemoryForTests } from './test-folder.js';

/** @typedef {{ name: string, minutes: number, hasFailed: boolean }} Phase */

const args = process.argv.slice(2);
/** @type {Phase[]} */
const phases = [];

// The running phase ends by itself, and no further one starts.
let isInterrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    isInterrupted = true;
  });
}

await ensureInstalled({ forDevelopment: true });
useMemoryForTests();
const logFolder = keepLogs();
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

const isWhole = args.length === 0 || args[0] === '--all';
if (isWhole) await runEverything();
else if (args[0] === '--quick') await runChanged();
else if (args.some((arg) => arg.startsWith('tests/journeys/'))) {
  await phase('browser', () => runPlaywright(args, { SCREENSHOTS: 'on' }));
} else await phase('tests', () => runVitest(args));
await phase('search of the logs', () => searchKeptLogs(logFolder, { mustHaveLogs: isWhole }));
process.exit(summarize());

async function runEverything() {
  await phase('types and lint', () => runTool(['scripts/check.js']));
  await phase('server and components', () => runVitest(['server/', 'web/', '--retry=1']));
  if (args[0] === '--all') await runLong();
  else await phase('kill -9', () => onDisk(() => runFaults(['--only', 'kill-server'])));
  await phase('browser', () => runPlaywright(['--retries=1']));
}

async function runLong() {
  await phase('faults', () => onDisk(() => runFaults([])));
  await phase('benchmarks', () => onDisk(runBenches));
}

async function runChanged() {
  await phase('types and lint', () => runTool(['scripts/check.js']));
  await phase('tests', () => runVitest(['--changed', '--passWithNoTests']));
  await phase('browser', () => runPlaywright(['--only-changed', '--pass-with-no-tests']));
}

/**
 * @param {string} name
 * @param {() => Promise<number>} run resolves with an exit code
 */
async function phase(name, run) {
  if (isInterrupted) return;
  const began = performance.now();
  const hasFailed = (await run()) !== 0;
  phases.push({ name, minutes: (performance.now() - began) / 60_000, hasFailed });
}

/** Printed last, because the end of a long output is what people read. */
function summarize() {
  console.log('\nMinutes:');
  for (const { name, minutes, hasFailed } of phases) {
    console.log(`${minutes.toFixed(1).padStart(5)}  ${name}${hasFailed ? ' FAILED, see above' : ''}`);
  }
  const sum = phases.reduce((minutes, phase) => minutes + phase.minutes, 0);
  console.log(`${sum.toFixed(1).padStart(5)}  all`);
  return isInterrupted || phases.some(({ hasFailed }) => hasFailed) ? 1 : 0;
}

/** @param {string[]} vitestArgs */
function runVitest(vitestArgs) {
  return runInstalled('vitest', ['run', ...vitestArgs]);
}

/** @param {string[]} faultArgs */
async function runFaults(faultArgs) {
  return (await buildIfStale()) || runTool(['tests/faults/run.ts', '--short', ...faultArgs]);
}

/** Whether they work, not how fast. */
async function runBenches() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  // When the tests run as root, PostgreSQL runs as another user and needs access.
  chmodSync(folder, 0o755);
  let code = 0;
  for (const program of ['run.ts', 'activity/run.ts', 'search/run.ts']) {
    code ||= await runTool([`tests/bench/${program}`, '--small', '--folder', folder]);
  }
  rmSync(folder, { recursive: true, force: true });
  return code;
}

/**
 * @param {string[]} playwrightArgs
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runPlaywright(playwrightArgs, env) {
  if ((await buildIfStale()) !== 0) return 1;
  const chromium = await findOrInstallChromium();
  if ('problem' in chromium) {
    console.error(chromium.problem);
    return 1;
  }
  return runInstalled('playwright', ['test', '-c', 'tests/journeys', ...playwrightArgs], {
    ...process.env,
    ...env,
    CHROMIUM_PATH: chromium.path,
    CHROMIUM_SHELL_PATH: chromium.shell,
  });
}
