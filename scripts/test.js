// npm test                      checks, server tests, faults and bench in short, browser tests; then a search of all logs
// npm test -- --quick           what a change touches: checks, and the tests that import what is not committed yet
// npm test -- tests/journeys/sign-in only the browser tests that this names; all arguments go to Playwright
// npm test -- server/test/accounts  only the other tests that this names; all arguments go to Vitest
import { join } from 'node:path';
import { runBrowserTests } from './browser-tests.js';
import { runChecks } from './checks.js';
import { ensureInstalled, root } from './install.js';
import { keepLogs, runLogTests } from './log-tests.js';
import { onDisk, useMemoryForTests } from './test-folder.js';
import { createSummary } from './test-summary.js';
import { runVitestTests } from './vitest-tests.js';

const args = process.argv.slice(2);
await ensureInstalled({ forDevelopment: true });
useMemoryForTests();
const logFolder = keepLogs();
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

const summary = createSummary();
const isWhole = args.length === 0;
if (isWhole) await runAll();
else if (args[0] === '--quick') await runChanged();
else if (args.some((arg) => arg.startsWith('tests/journeys/'))) {
  await summary.run('browser tests', () => runBrowserTests(args));
} else await summary.run('tests', () => runVitestTests(args));
if (isWhole) await summary.retryFailed();
await summary.run('search of the logs', () => runLogTests(logFolder, { isWholeRun: isWhole }));
process.exit(summary.print());

async function runAll() {
  await summary.run('types and lint', runChecks);
  await summary.run('server and components', () => runVitestTests(['server/', 'web/']));
  await summary.run('faults and bench', () =>
    onDisk(() => runVitestTests(['tests/faults/', 'tests/bench/', '--maxWorkers=2'])),
  );
  await summary.run('browser', () => runBrowserTests([]));
}

async function runChanged() {
  await summary.run('types and lint', runChecks);
  await summary.run('tests', () => runVitestTests(['--changed', '--passWithNoTests']));
  await summary.run('browser', () => runBrowserTests(['--only-changed', '--pass-with-no-tests']));
}
