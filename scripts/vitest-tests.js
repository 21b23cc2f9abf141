import { join } from 'node:path';
import { root } from './install.js';
import { runInstalled } from './run.js';
import { checkedOutcome, reasonIn, runWithReport } from './test-report.js';

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
  const passed = entries.filter(({ status }) => status === 'passed');
  const outcome = {
    passed: passed.length,
    failures: entries
      .filter(({ status }) => status === 'failed')
      .map((entry) => ({ name: nameOf(entry), why: reasonIn(entry.message), ...retryOf(entry) })),
    leftOut: entries
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map((entry) => `Skipped: ${nameOf(entry)}`),
    times: passed.map((entry) => ({ name: nameOf(entry), seconds: entry.seconds })),
  };
  return checkedOutcome('test', code, outcome, args.includes('--passWithNoTests'));
}

/** @param {import('./vitest-report.js').Entry} entry */
const nameOf = ({ file, titles }) => [file, titles.join(' > ')].filter(Boolean).join(': ');

/**
 * Reruns one test, or the whole file for a failure around its tests. Errors outside of any file have no retry.
 * @param {import('./vitest-report.js').Entry} entry
 */
function retryOf({ file, titles, isTest }) {
  if (!file) return {};
  const only = isTest ? ['--testNamePattern', patternFor(titles)] : [];
  return { retry: () => runVitestTests([file, ...only]) };
}

/** @param {string[]} titles */
const patternFor = (titles) =>
  `^${titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('[ >]+')}$`;
