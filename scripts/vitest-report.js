import { writeFileSync } from 'node:fs';

/**
 * A test, or what failed around tests: a file that does not load, something that is done before or after them.
 * @typedef {{ name: string, status: string, message: string | undefined }} Entry
 */

/**
 * @param {string} name
 * @param {readonly { message: string, stack?: string }[]} errors
 * @returns {Entry[]}
 */
const failuresAround = (name, errors) =>
  errors.map(({ message, stack }) => ({ name, status: 'failed', message: stack ?? message }));

/**
 * @param {import('vitest/node').TestModule} file
 * @returns {Entry[]}
 */
function entriesOf(file) {
  const inFile = (/** @type {string} */ name) => `${file.relativeModuleId}: ${name}`;
  const around = [...file.children.allSuites()].flatMap((suite) =>
    failuresAround(inFile(suite.fullName), suite.errors()),
  );
  const tests = [...file.children.allTests()].map((test) => {
    const { state, errors = [] } = test.result();
    const message = errors.map((error) => error.stack ?? error.message).join('\n');
    return { name: inFile(test.fullName), status: state, message };
  });
  return [...failuresAround(file.relativeModuleId, file.errors()), ...around, ...tests];
}

/** For Vitest: writes what became of all tests into the file that TEST_REPORT names. */
export default class {
  /**
   * @param {readonly import('vitest/node').TestModule[]} files
   * @param {readonly { message: string, stack?: string }[]} unhandled
   */
  onTestRunEnd(files, unhandled) {
    const entries = [...files.flatMap(entriesOf), ...failuresAround('outside of a test', unhandled)];
    writeFileSync(String(process.env.TEST_REPORT), JSON.stringify(entries));
  }
}
