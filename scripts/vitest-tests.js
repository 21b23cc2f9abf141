import { join } from 'node:path';
import { root } from './install.js';
import { runInstalled } from './run.js';
import { checkedOutcome, failureText, runWithReport } from './test-report.js';

/**
 * @param {string[]} args
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runVitestTests(args) {
  const { code, report } = await runWithReport((file) => {
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'vitest-report.js')}`];
    return runInstalled('vitest', ['run', ...reporters, ...args], { ...process.env, TEST_REPORT: file });
  });
  /** @type {import('./vitest-report.js').Entry[]} */
  const entries = report ?? [];
  return checkedOutcome('test', code, {
    passed: entries.filter(({ status }) => status === 'passed').length,
    failures: entries
      .filter(({ status }) => status === 'failed')
      .map(({ name, message }) => failureText(name, message)),
    leftOut: entries
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ name }) => `Skipped: ${name}`),
  });
}
