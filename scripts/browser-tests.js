import { buildIfStale } from './build.js';
import { findOrInstallChromium } from './chromium.js';
import { runInstalled } from './run.js';
import { checkedOutcome, noTests, reasonIn, runWithReport } from './test-report.js';

/**
 * @typedef {{ status: string, results: { duration: number, error?: { message?: string } }[] }} Run
 * @typedef {{ title: string, file: string, tests: Run[] }} Spec
 * @typedef {{ title: string, specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ status: string, name: string, titles: string[], message: string | undefined, seconds: number }} BrowserTest
 */

/**
 * @param {string[]} args
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runBrowserTests(args) {
  if ((await buildIfStale()) !== 0) {
    return { ...noTests, failures: [{ name: 'the build of the pages', why: 'It is shown above.' }] };
  }
  const chromium = await findOrInstallChromium();
  if ('problem' in chromium) return withoutChromium(chromium.problem);
  const { code, report } = await runWithReport((file) =>
    runInstalled('playwright', ['test', '-c', 'tests/journeys', '--reporter=list,json', ...args], {
      ...process.env,
      CHROMIUM_PATH: chromium.path,
      CHROMIUM_SHELL_PATH: chromium.shell,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      // Nobody looks at the screenshots of a whole run.
      SCREENSHOTS: args.some((arg) => arg.startsWith('tests/journeys/')) ? 'on' : 'off',
    }),
  );
  /** @type {Suite[]} */
  const suites = report?.suites ?? [];
  const tests = suites.flatMap((suite) => testsOf(suite));
  const passed = tests.filter(({ status }) => status === 'expected');
  const outcome = {
    passed: passed.length,
    failures: tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ name, titles, message }) => ({
        name,
        why: reasonIn(message),
        retry: () => runBrowserTests(['--workers=1', '--grep', patternFor(titles)]),
      })),
    leftOut: tests.filter(({ status }) => status === 'skipped').map(({ name }) => `Skipped: ${name}`),
    times: passed.map(({ name, seconds }) => ({ name, seconds })),
  };
  return checkedOutcome('browser test', code, outcome, args.includes('--pass-with-no-tests'));
}

/**
 * @param {string} problem
 * @returns {import('./test-report.js').Outcome}
 */
function withoutChromium(problem) {
  if (process.env.CI !== 'true') return { ...noTests, leftOut: [`LEFT OUT: all browser tests. ${problem}`] };
  return { ...noTests, failures: [{ name: 'the browser tests', why: `They cannot run. ${problem}` }] };
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
      titles: [...here, spec.title],
      name: [...here, spec.title].join(' > '),
      message: results.find(({ error }) => error)?.error?.message,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  );
  return [...own, ...suites.flatMap((inner) => testsOf(inner, here))];
}

/**
 * Playwright matches a pattern against the project, the file and all titles, joined by spaces.
 * @param {string[]} titles
 */
const patternFor = (titles) =>
  ` ${titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join(' ')}( @\\S+)*$`;
