import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * What came of a kind of tests. `failures` and `leftOut` are texts for people, one for each test (or kind of tests)
 * that failed or did not run; said once more at the end, because the end is what is kept of a long output.
 * @typedef {{ passed: number, failures: string[], leftOut: string[] }} Outcome
 */

/**
 * Has a test runner write its JSON report into a file that is gone afterwards.
 * @template Report
 * @param {(file: string) => Promise<number>} run
 * @returns {Promise<{ code: number, report: Report | undefined }>} the exit code and what was reported, if anything
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

const SHOWN_LINES = 10;

/**
 * What failed, and the beginning of why.
 * @param {string} name
 * @param {string | undefined} message
 */
export function failureText(name, message) {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() && !line.includes('node_modules'));
  return [`Failed: ${name}`, ...lines.slice(0, SHOWN_LINES)].join('\n    ');
}

/**
 * A run that ends badly without a failed test, or without any test, is a failure too.
 * @param {string} kind
 * @param {number} code the exit code of the runner
 * @param {Outcome} outcome
 * @returns {Outcome}
 */
export function checkedOutcome(kind, code, outcome) {
  const { passed, failures } = outcome;
  if (passed + failures.length === 0) return { ...outcome, failures: [`No ${kind} ran.`] };
  if (code === 0 || failures.length > 0) return outcome;
  return { ...outcome, failures: [`The run of the ${kind}s failed outside of a test.`] };
}
