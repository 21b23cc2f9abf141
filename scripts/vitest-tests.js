import { relative } from 'node:path';
import { root } from './install.js';
import { runInstalled } from './run.js';
import { checkedOutcome, failureText, runWithReport } from './test-report.js';

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Test
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Test[] }} TestFile
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
  const tests = files.flatMap((file) =>
    file.assertionResults.map(({ status, fullName, failureMessages }) => ({
      status,
      message: failureMessages?.join('\n'),
      name: `${relative(root, file.name)}: ${fullName}`,
    })),
  );
  const failed = tests.filter(({ status }) => status === 'failed');
  // A file that does not load has no tests to fail, and is a failure all the same.
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return checkedOutcome('test', code, {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failures: [
      ...failed.map(({ name, message }) => failureText(name, message)),
      ...broken.map(({ name, message }) => failureText(relative(root, name), message)),
    ],
    leftOut: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ name }) => `Skipped: ${name}`),
  });
}
