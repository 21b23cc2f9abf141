// For the tests: keeps what every server logged, and what must not be found in it. Where TEST_LOG_FOLDER
// is not set, nothing is kept. `npm test` sets it and searches the folder at the end (log-search.js).
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.TEST_LOG_FOLDER;
if (folder) mkdirSync(folder, { recursive: true });

/**
 * Shorter ones turn up by chance, as a password of a test may be an English word; and a row of the same letter is
 * what tests take for things that are long.
 * @param {string} value
 */
const canBeTold = (value) => value.length >= 12 && new Set(value).size > 3 && !ownName.test(value);

/** A test tries it as a password, which is refused; and every server prints it when it has started. */
const ownName = /^customer database$/i;

let servers = 0;

/**
 * @param {'.jsonl' | '.txt'} kind a log, of which every line is JSON, or all that a process printed
 * @returns {(text: string | Buffer) => void} takes what comes, piece by piece
 */
export function keptLog(kind) {
  if (!folder) return () => undefined;
  servers += 1;
  const file = join(folder, `log-${process.pid}-${servers}${kind}`);
  return (text) => appendFileSync(file, text);
}

/** @type {Set<string>} */
const known = new Set();

/**
 * @param {string} what
 * @param {unknown} value
 */
export function keepSecret(what, value) {
  if (!folder || typeof value !== 'string' || !canBeTold(value) || known.has(value)) return;
  known.add(value);
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
 * What is secret in the body of a call or in its answer.
 * @param {unknown} body
 */
export function keepSecretsIn(body) {
  if (!folder || typeof body !== 'object' || body === null) return;
  const fields = /** @type {Record<string, unknown>} */ (body);
  for (const name of secretFields) keepSecret(name, fields[name]);
  const { recovery_codes, download_url, view_url, file_data } = fields;
  if (Array.isArray(recovery_codes)) for (const code of recovery_codes) keepSecret('recovery code', code);
  for (const url of [download_url, view_url]) if (typeof url === 'string') keepSignature(url);
  // Of a file the beginning is enough.
  if (typeof file_data === 'string') keepSecret('file_data', file_data.slice(0, 60));
}

/**
 * The same of a body that is still text; one that is no JSON holds nothing that could be told from the rest.
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
