import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchLogs } from './log-search.js';
import { noTests } from './test-report.js';

const maxShown = 20;

/** Makes every server that the tests start write its log into a folder of this run. */
export function keepLogs() {
  const folder = mkdtempSync(join(tmpdir(), 'test-logs-'));
  process.env.TEST_LOG_FOLDER = folder;
  return folder;
}

/**
 * The last test: no log of the tests before contains a secret. On a failure the folder stays.
 * @param {string} folder
 * @param {{ isWholeRun: boolean }} options
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runLogTests(folder, { isWholeRun }) {
  const { lines, secrets, findings } = await searchLogs(folder);
  for (const { file, line, what, shown } of findings.slice(0, maxShown)) {
    console.error(`In a log, ${what}: ${join(folder, file)}:${line}: ${shown}`);
  }
  if (findings.length > maxShown) console.error(`… and ${findings.length - maxShown} more.`);
  if (isWholeRun && (lines === 0 || secrets === 0)) return failedWith('the tests left no logs to search');
  if (findings.length > 0) return failedWith(`${findings.length} secrets in logs, shown above`);
  rmSync(folder, { recursive: true, force: true });
  console.log(`Searched ${lines} lines of logs for ${secrets} secrets: none is there.`);
  return { ...noTests, passed: 1 };
}

/**
 * @param {string} why
 * @returns {import('./test-report.js').Outcome}
 */
function failedWith(why) {
  return { ...noTests, failures: [{ name: 'the search through the logs', why }] };
}
