import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {{ file: string, line: number, what: string }} Finding */

/** What no log may contain, whatever its value: extended regular expressions of grep. */
const secretPatterns = {
  'an authorization header': '[Bb]earer [A-Za-z0-9_.~+/-]{8,}',
  'a signature': '[Ss]ignature=[A-Za-z0-9_%+/-]{4,}',
  'a file': '%PDF-|JVBERi0|UEsDBB|0M8R4KGxGuE',
  'a password hash': '[$]argon2',
  'a private key': '-----BEGIN',
};

/** Printed at the first start, for the person who reads the output: worthless once there is a user. */
const setupLinkLine = /^(\{.*"msg":")?Create the first administrator at /;

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
 * @param {{ mustHaveLogs: boolean }} options
 * @returns {Promise<number>} the exit code
 */
export async function searchKeptLogs(folder, { mustHaveLogs }) {
  const { lines, secrets, findings } = searchLogs(folder);
  for (const { file, line, what } of findings.slice(0, maxShown)) {
    console.error(`In a log, ${what}: ${join(folder, file)}:${line}`);
  }
  if (findings.length > maxShown) console.error(`… and ${findings.length - maxShown} more.`);
  const hasLogs = lines > 0 && secrets > 0;
  if (mustHaveLogs && !hasLogs) console.error('The tests left no logs to search.');
  if (findings.length > 0 || (mustHaveLogs && !hasLogs)) return 1;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Searched ${lines} lines of logs for ${secrets} secrets: they contain none.`);
  return 0;
}

/**
 * Searches every log in the folder for every secret that the tests recorded there.
 * @param {string} folder
 * @returns {{ lines: number, secrets: number, findings: Finding[] }}
 */
export function searchLogs(folder) {
  const names = readdirSync(folder);
  const files = names.filter((name) => name.startsWith('log-'));
  const secrets = readSecrets(
    names.filter((name) => name.startsWith('secrets-')).map((name) => join(folder, name)),
  );
  const findings = Object.entries(secretPatterns).flatMap(([what, pattern]) =>
    grep(folder, files, ['-E', '-e', pattern]).map(({ file, line }) => ({ file, line, what })),
  );
  const spellings = new Map(
    [...secrets].flatMap(([value, what]) => spellingsOf(value).map((text) => [text, what])),
  );
  writeFileSync(join(folder, 'spellings'), [...spellings.keys()].map((text) => `${text}\n`).join(''));
  for (const { file, line, text } of grep(folder, files, ['-F', '-f', 'spellings'])) {
    const [, what = ''] = [...spellings].find(([spelling]) => text.includes(spelling)) ?? [];
    findings.push({ file, line, what });
  }
  let lines = 0;
  for (const file of files) {
    const texts = readFileSync(join(folder, file), 'utf8').replace(/\n$/, '').split('\n');
    lines += texts.length;
    if (!file.endsWith('.jsonl')) continue;
    for (const [index, text] of texts.entries()) {
      if (!isJsonObject(text)) findings.push({ file, line: index + 1, what: 'no JSON' });
    }
  }
  return { lines, secrets: secrets.size, findings };
}

/**
 * Descriptions by value.
 * @param {string[]} files
 * @returns {Map<string, string>}
 */
const readSecrets = (files) =>
  new Map(
    files
      .flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
      .map((line) => JSON.parse(line))
      .map(([what, value]) => [value, what]),
  );

/**
 * As it is, and as a part of JSON.
 * @param {string} value
 */
const spellingsOf = (value) =>
  [value, JSON.stringify(value).slice(1, -1)].filter((text) => !text.includes('\n'));

/**
 * Because grep finds thousands of strings in one pass.
 * @param {string} folder
 * @param {string[]} files
 * @param {string[]} args
 * @returns {{ file: string, line: number, text: string }[]} the lines that match
 */
function grep(folder, files, args) {
  // In the locale C it compares bytes, which is many times faster.
  const { error, status, stdout, stderr } = spawnSync('grep', ['-anH', ...args, ...files, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error || (status !== 0 && status !== 1)) throw error ?? new Error(`grep failed: ${stderr}`);
  return [...stdout.matchAll(/^([^:]+):(\d+):(.*)$/gm)]
    .map(([, file = '', line, text = '']) => ({ file, line: Number(line), text }))
    .filter(({ text }) => !setupLinkLine.test(text));
}

/** @param {string} line */
function isJsonObject(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
