import { buildIfStale } from './build.js';
import { findOrInstallChromium } from './chromium.js';
import { runInstalled } from './run.js';
import { checkedOutcome, failureText, runWithReport } from './test-report.js';

/**
 * @typedef {{ status: string, results: { error?: { message?: string } }[] }} Run
 * @typedef {{ title: string, file: string, tests: Run[] }} Spec
 * @typedef {{ title: string, specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ status: string, name: string, message: string | undefined }} BrowserTest
 */

/**
 * @param {string[]} args
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runBrowserTests(args) {
  if ((await buildIfStale()) !== 0)
    return { passed: 0, failures: ['Failed: the build of the pages'], leftOut: [] };
  const chromium = await findOrInstallChromium();
  if ('problem' in chromium) return withoutChromium(chromium.problem);
  const { code, report } = await runWithReport((file) =>
    runInstalled('playwright', ['test', '-c', 'e2e', '--reporter=list,json', ...args], {
      ...process.env,
      CHROMIUM_PATH: chromium.path,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    }),
  );
  /** @type {Suite[]} */
  const suites = report?.suites ?? [];
  const tests = suites.flatMap((suite) => testsOf(suite));
  return checkedOutcome('browser test', code, {
    passed: tests.filter(({ status }) => status === 'expected').length,
    // One that passes at the second try only does not pass.
    failures: tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ name, message }) => failureText(name, message)),
    leftOut: tests.filter(({ status }) => status === 'skipped').map(({ name }) => `Skipped: ${name}`),
  });
}

/**
 * @param {string} problem
 * @returns {import('./test-report.js').Outcome}
 */
function withoutChromium(problem) {
  if (process.env.CI !== 'true') {
    return { passed: 0, failures: [], leftOut: [`LEFT OUT: all browser tests. ${problem}`] };
  }
  return { passed: 0, failures: [`The browser tests cannot run. ${problem}`], leftOut: [] };
}

/**
 * @param {Suite} suite
 * @param {string[]} path the titles above
 * @returns {BrowserTest[]}
 */
function testsOf({ title, specs = [], suites = [] }, path = []) {
  const here = [...path, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, results }) => ({
      status,
      name: [...here, spec.title].join(' > '),
      message: results.find(({ error }) => error)?.error?.message,
    })),
  );
  return [...own, ...suites.flatMap((inner) => testsOf(inner, here))];
}
