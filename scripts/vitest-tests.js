import { relative } from 'node:path';
import { root } from './install.js';
import { runInstalled } from './run.js';
import { checkedOutcome, runWithReport } from './test-report.js';

/**
 * @typedef {{ status: string, fullName: string }} Test
 * @typedef {{ name: string, status: string, assertionResults: Test[] }} TestFile
 */

/**
 * @param {string[]} args
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runVitestTests(args) {
  const { code, report } = await runWithReport((file) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    return runInstalled('vitest', ['run', ...reporters, ...args]);
  });
  /** @type {TestFile[]} */
  const files = report?.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
  const failedTests = tests.filter(({ status }) => status === 'failed').length;
  // A file that does not load has no tests to fail, and is a failure all the same.
  const brokenFiles = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return checkedOutcome('test', code, {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failedTests + brokenFiles,
    leftOut: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ file, fullName }) => `Skipped: ${relative(root, file)}: ${fullName}`),
  });
}
