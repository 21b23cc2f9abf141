import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** @typedef {{ file: string, line: number, what: string, shown: string }} Finding */
/** @typedef {{ what: string, start: number, end: number }} Match */

/** What no log may contain, whatever its value. */
const secretPatterns = [
  { what: 'an authorization header', pattern: /\bBearer [\w.~+/-]{8,}/i },
  { what: 'a signature', pattern: /\bsignature=[\w%+/-]{4,}/i },
  { what: 'a file', pattern: /%PDF-|JVBERi0|UEsDBB|0M8R4KGxGuE/ },
  { what: 'a password hash', pattern: /\$argon2/ },
  { what: 'a private key', pattern: /-----BEGIN/ },
];

/** Printed at the first start, for the person who reads the output: worthless once there is a user. */
const setupLinkLine = /^(\{.*"msg":")?Create the first administrator at /;

const prefixLength = 8;
const windowMask = 0xfffff;

/** @param {number} hash @param {number} code */
const nextHash = (hash, code) => ((hash << 5) ^ code) & windowMask;

/**
 * Reads a text once, however many secrets there are: a hash of four characters rules out a match at almost every
 * position.
 * @param {Map<string, string>} secrets descriptions by value
 * @returns {(text: string) => Match | undefined}
 */
export function searcherFor(secrets) {
  const possibleStarts = new Uint8Array(windowMask + 1);
  /** @type {Map<string, { value: string, what: string }[]>} */
  const byPrefix = new Map();
  for (const [value, what] of secrets) {
    for (const spelling of new Set([value, JSON.stringify(value).slice(1, -1)])) {
      let hash = 0;
      for (let at = 0; at < 4; at += 1) hash = nextHash(hash, spelling.charCodeAt(at));
      possibleStarts[hash] = 1;
      const prefix = spelling.slice(0, prefixLength);
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { value: spelling, what }]);
    }
  }
  return (text) => {
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at));
      if (possibleStarts[hash] === 0 || at < 3) continue;
      const start = at - 3;
      for (const { value, what } of byPrefix.get(text.slice(start, start + prefixLength)) ?? []) {
        if (text.startsWith(value, start)) return { what, start, end: start + value.length };
      }
    }
    for (const { what, pattern } of secretPatterns) {
      const found = pattern.exec(text);
      if (found) return { what, start: found.index, end: found.index + found[0].length };
    }
    return undefined;
  };
}

/** @param {string} folder */
function readSecrets(folder) {
  /** @type {Map<string, string>} */
  const secrets = new Map();
  for (const file of readdirSync(folder).filter((name) => name.startsWith('secrets-'))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const [what, value] = JSON.parse(line);
      secrets.set(value, what);
    }
  }
  return secrets;
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

/**
 * The context of a match, without the secret.
 * @param {string} text
 * @param {Match} match
 */
const masked = (text, { start, end }) =>
  `${text.slice(Math.max(0, start - 60), start)}*****${text.slice(end, end + 40)}`;

/**
 * Searches every log in the folder for every secret that the tests recorded there.
 * @param {string} folder
 * @returns {Promise<{ lines: number, secrets: number, findings: Finding[] }>}
 */
export async function searchLogs(folder) {
  const secrets = readSecrets(folder);
  const find = searcherFor(secrets);
  /** @type {Finding[]} */
  const findings = [];
  let lines = 0;
  for (const file of readdirSync(folder).filter((name) => name.startsWith('log-'))) {
    let number = 0;
    for await (const text of createInterface({ input: createReadStream(join(folder, file)) })) {
      number += 1;
      lines += 1;
      if (setupLinkLine.test(text)) continue;
      const match = find(text);
      if (match) findings.push({ file, line: number, what: match.what, shown: masked(text, match) });
      else if (file.endsWith('.jsonl') && !isJsonObject(text)) {
        findings.push({ file, line: number, what: 'no JSON', shown: text.slice(0, 100) });
      }
    }
  }
  return { lines, secrets: secrets.size, findings };
}
