import { writeFileSync } from 'node:fs';

/**
 * A test, or a failure around tests: in loading a file, or in a hook.
 * @typedef {{ file: string, titles: string[], isTest: boolean, status: string, message: string | undefined, seconds: number }} Entry
 */

/**
 * @param {string} file
 * @param {string[]} titles
 * @param {readonly { message: string, stack?: string }[]} errors
 * @returns {Entry[]}
 */
const failuresAround = (file, titles, errors) =>
  errors.map(({ message, stack }) => ({
    file,
    titles,
    isTest: false,
    status: 'failed',
    message: stack ?? message,
    seconds: 0,
  }));

/**
 * @param {import('vitest/node').TestCase | import('vitest/node').TestSuite} task
 * @returns {string[]} the titles of its suites, and its own
 */
function titlesOf(task) {
  return task.parent.type === 'module' ? [task.name] : [...titlesOf(task.parent), task.name];
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {Entry[]}
 */
function entriesOf(module) {
  const file = module.relativeModuleId;
  const around = [...module.children.allSuites()].flatMap((suite) =>
    failuresAround(file, titlesOf(suite), suite.errors()),
  );
  const tests = [...module.children.allTests()].map((test) => {
    const { state, errors = [] } = test.result();
    const message = errors.map((error) => error.stack ?? error.message).join('\n');
    const seconds = (test.diagnostic()?.duration ?? 0) / 1000;
    return { file, titles: titlesOf(test), isTest: true, status: state, message, seconds };
  });
  return [...failuresAround(file, [], module.errors()), ...around, ...tests];
}

/** For Vitest: writes the outcome of all tests into the file that TEST_REPORT names. */
export default class {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message: string, stack?: string }[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const entries = [...modules.flatMap(entriesOf), ...failuresAround('', ['outside of a test'], unhandled)];
    // With a name pattern all other tests are skipped, and were not meant to run.
    const hasPattern = process.argv.includes('--testNamePattern');
    const shown = hasPattern ? entries.filter(({ status }) => status !== 'skipped') : entries;
    writeFileSync(String(process.env.TEST_REPORT), JSON.stringify(shown));
  }
}
