import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runChecks } from './checks.js';
import { ensureInstalled, root } from './install.js';
import { runInstalled } from './run.js';

/**
 * @typedef {{ status: string, fullName: string }} Test
 * @typedef {{ name: string, status: string, assertionResults: Test[] }} TestFile
 */

const args = process.argv.slice(2);
await ensureInstalled({ forDevelopment: true });

// Who names tests wants those tests; the whole run includes the checks.
const failedChecks = args.length === 0 ? await runChecks() : [];
const { code, files } = await runTests();
const tests = files.flatMap((file) => file.assertionResults);
const passed = tests.filter(({ status }) => status === 'passed').length;
const failedTests = tests.filter(({ status }) => status === 'failed').length;
const skipped = files.flatMap((file) =>
  file.assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `${relative(root, file.name)}: ${fullName}`),
);
// A file that does not load has no tests to fail, and is a failure all the same.
const brokenFiles = files.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length;
let failed = failedChecks.length + failedTests + brokenFiles;
if (passed + failedTests + brokenFiles === 0) {
  console.error('No test ran.');
  failed += 1;
} else if (code !== 0 && failedTests + brokenFiles === 0) {
  console.error('The test run failed outside of a test.');
  failed += 1;
}

for (const name of skipped) console.log(`Skipped: ${name}`);
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);

/** @returns {Promise<{ code: number, files: TestFile[] }>} */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const report = join(folder, 'report.json');
  try {
    const code = await runInstalled('vitest', [
      ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...args,
    ]);
    return { code, files: readReport(report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @returns {TestFile[]}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}
