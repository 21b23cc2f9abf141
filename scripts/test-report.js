import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Something that failed, and why. `retry` runs that test again, alone; without it there is no retry.
 * @typedef {{ name: string, why: string, retry?: () => Promise<Outcome> }} Failure
 */

/** @typedef {{ name: string, seconds: number }} TestTime */

/**
 * The outcome of a phase. `leftOut` has a line for each test (or kind of test) that did not run.
 * @typedef {{ passed: number, failures: Failure[], leftOut: string[], times: TestTime[] }} Outcome
 */

/** @type {Outcome} */
export const noTests = { passed: 0, failures: [], leftOut: [], times: [] };

/**
 * Makes a test runner write its JSON report into a temporary file.
 * @template Report
 * @param {(file: string) => Promise<number>} run
 * @returns {Promise<{ code: number, report: Report | undefined }>} the exit code and the report, if any
 */
export async function runWithReport(run) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const file = join(folder, 'report.json');
  try {
    const code = await run(file);
    return { code, report: readReport(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const maxShownLines = 10;

/**
 * The first lines of a failure's message.
 * @param {string | undefined} message
 */
export function reasonIn(message) {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() && !line.includes('node_modules'));
  return lines.slice(0, maxShownLines).join('\n    ');
}

/**
 * A run that exits with an error but no failed test, or runs no test where it should, is a failure too.
 * @param {string} kind
 * @param {number} code the exit code of the runner
 * @param {Outcome} outcome
 * @param {boolean} mayBeEmpty whether a change may touch no test of this kind
 * @returns {Outcome}
 */
export function checkedOutcome(kind, code, outcome, mayBeEmpty) {
  const { passed, failures } = outcome;
  if (passed + failures.length === 0 && !mayBeEmpty) {
    return { ...outcome, failures: [{ name: `No ${kind} ran`, why: '' }] };
  }
  if (code === 0 || failures.length > 0) return outcome;
  return { ...outcome, failures: [{ name: `The run of the ${kind}s`, why: 'It failed outside of a test.' }] };
}
