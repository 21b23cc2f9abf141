// For the tests: records every server's log, and the secrets that must not appear in it. Nothing is recorded
// without TEST_LOG_FOLDER. `npm test` sets it and searches the folder at the end (log-search.js).
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.TEST_LOG_FOLDER;
if (folder) mkdirSync(folder, { recursive: true });

/**
 * Short ones appear by chance, since a test's password may be an English word; and tests repeat one letter to make
 * long values.
 * @param {string} value
 */
const isDistinctive = (value) => value.length >= 12 && new Set(value).size > 3 && !ownName.test(value);

/** A test tries it as a password, which is refused; every server prints it at its start. */
const ownName = /^customer database$/i;

let servers = 0;

/**
 * @param {'.jsonl' | '.txt'} kind a log of JSON lines, or everything that a process printed
 * @returns {(text: string | Buffer) => void} appends a chunk
 */
export function createLogWriter(kind) {
  if (!folder) return () => undefined;
  servers += 1;
  const file = join(folder, `log-${process.pid}-${servers}${kind}`);
  return (text) => appendFileSync(file, text);
}

/** @type {Set<string>} */
const recorded = new Set();

/**
 * @param {string} what
 * @param {unknown} value
 */
export function keepSecret(what, value) {
  if (!folder || typeof value !== 'string' || !isDistinctive(value) || recorded.has(value)) return;
  recorded.add(value);
  appendFileSync(join(folder, `secrets-${process.pid}.jsonl`), `${JSON.stringify([what, value])}\n`);
}

/** @param {string} url of a document, signed by us or by a store */
function keepSignature(url) {
  if (!URL.canParse(url)) return;
  const { searchParams } = new URL(url);
  for (const name of ['signature', 'X-Amz-Signature']) keepSecret('signature', searchParams.get(name));
}

const secretFields = [
  'password',
  'currentPassword',
  'newPassword',
  'temporary_password',
  'token',
  'mfa_token',
  'secret',
  'setup_code',
];

/**
 * Records the secrets in the body of a request or response.
 * @param {unknown} body
 */
export function keepSecretsIn(body) {
  if (!folder || typeof body !== 'object' || body === null) return;
  const fields = /** @type {Record<string, unknown>} */ (body);
  for (const name of secretFields) keepSecret(name, fields[name]);
  const { recovery_codes, download_url, view_url, file_data } = fields;
  if (Array.isArray(recovery_codes)) for (const code of recovery_codes) keepSecret('recovery code', code);
  for (const url of [download_url, view_url]) if (typeof url === 'string') keepSignature(url);
  // The beginning of a file is enough.
  if (typeof file_data === 'string') keepSecret('file_data', file_data.slice(0, 60));
}

/**
 * The same for a body that is still text; only JSON has fields to look at.
 * @param {unknown} text
 */
export function keepSecretsInText(text) {
  if (!folder || typeof text !== 'string' || !text.startsWith('{')) return;
  try {
    keepSecretsIn(JSON.parse(text));
  } catch {
    // Tests send broken bodies too.
  }
}
