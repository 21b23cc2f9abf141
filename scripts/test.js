// npm test                      checks, server and component tests, browser tests; a search through all logs
// npm test -- e2e/login         only the browser tests that this names; all arguments go to Playwright
// npm test -- server/test/auth  only the other tests that this names; all arguments go to Vitest
import { runBrowserTests } from './browser-tests.js';
import { runChecks } from './checks.js';
import { ensureInstalled } from './install.js';
import { keepLogs, runLogTests } from './log-tests.js';
import { runVitestTests } from './vitest-tests.js';

const args = process.argv.slice(2);
await ensureInstalled({ forDevelopment: true });

const outcomes = [];
const logFolder = keepLogs();
if (args.length === 0) outcomes.push(await runChecks());
const isForBrowser = args.some((arg) => arg.startsWith('e2e/'));
if (!isForBrowser) outcomes.push(await runVitestTests(args));
if (isForBrowser || args.length === 0) outcomes.push(await runBrowserTests(args));
outcomes.push(await runLogTests(logFolder, { isWholeRun: args.length === 0 }));

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
const leftOut = outcomes.flatMap((outcome) => outcome.leftOut);
for (const line of [...leftOut, ...failures]) console.log(line);
const skipped = leftOut.length > 0 ? `, ${leftOut.length} skipped` : '';
console.log(`${passed} passed, ${failures.length} failed${skipped}`);
process.exit(failures.length === 0 ? 0 : 1);
