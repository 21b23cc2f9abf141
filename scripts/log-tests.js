import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchLogs } from './log-search.js';
import { nothing } from './test-report.js';

const shownAtMost = 20;

/** Has every server that the tests start leave its log in a folder of this run. */
export function keepLogs() {
  const folder = mkdtempSync(join(tmpdir(), 'test-logs-'));
  process.env.TEST_LOG_FOLDER = folder;
  return folder;
}

/**
 * The last test: nothing secret in any log of all the tests before. The folder stays when there is.
 * @param {string} folder
 * @param {{ isWholeRun: boolean }} options
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runLogTests(folder, { isWholeRun }) {
  const { lines, secrets, findings } = await searchLogs(folder);
  for (const { file, line, what, shown } of findings.slice(0, shownAtMost)) {
    console.error(`In a log, ${what}: ${join(folder, file)}:${line}: ${shown}`);
  }
  if (findings.length > shownAtMost) console.error(`… and ${findings.length - shownAtMost} more.`);
  if (isWholeRun && (lines === 0 || secrets === 0)) return failedWith('the tests left no logs to search');
  if (findings.length > 0) return failedWith(`${findings.length} secrets in logs, shown above`);
  rmSync(folder, { recursive: true, force: true });
  console.log(`Searched ${lines} lines of logs for ${secrets} secrets: none is there.`);
  return { ...nothing, passed: 1 };
}

/**
 * @param {string} why
 * @returns {import('./test-report.js').Outcome}
 */
function failedWith(why) {
  return { ...nothing, failures: [{ name: 'the search through the logs', why }] };
}
