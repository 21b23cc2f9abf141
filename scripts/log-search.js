import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** @typedef {{ file: string, line: number, what: string, shown: string }} Finding */
/** @typedef {{ what: string, start: number, end: number }} Match */

/** What no log may hold, whoever it belongs to. */
const shapes = [
  { what: 'an authorization header', pattern: /\bBearer [\w.~+/-]{8,}/i },
  { what: 'a signature', pattern: /\bsignature=[\w%+/-]{4,}/i },
  { what: 'a file', pattern: /%PDF-|JVBERi0|UEsDBB|0M8R4KGxGuE/ },
  { what: 'a password hash', pattern: /\$argon2/ },
  { what: 'a private key', pattern: /-----BEGIN/ },
];

/** Printed for whoever starts the server, and no line of the log. */
const setupLine = /^Create the first administrator at /;

const headLength = 8;
const windowMask = 0xfffff;

/** @param {number} hash @param {number} code */
const nextHash = (hash, code) => ((hash << 5) ^ code) & windowMask;

/**
 * Goes through a text once, however many values there are: the last four characters tell at almost every place
 * that no value begins there.
 * @param {Map<string, string>} secrets what it is, by value
 * @returns {(text: string) => Match | undefined}
 */
export function searcherFor(secrets) {
  const beginnings = new Uint8Array(windowMask + 1);
  /** @type {Map<string, { value: string, what: string }[]>} */
  const byHead = new Map();
  for (const [value, what] of secrets) {
    for (const spelling of new Set([value, JSON.stringify(value).slice(1, -1)])) {
      let hash = 0;
      for (let at = 0; at < 4; at += 1) hash = nextHash(hash, spelling.charCodeAt(at));
      beginnings[hash] = 1;
      const head = spelling.slice(0, headLength);
      byHead.set(head, [...(byHead.get(head) ?? []), { value: spelling, what }]);
    }
  }
  return (text) => {
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at));
      if (beginnings[hash] === 0 || at < 3) continue;
      const start = at - 3;
      for (const { value, what } of byHead.get(text.slice(start, start + headLength)) ?? []) {
        if (text.startsWith(value, start)) return { what, start, end: start + value.length };
      }
    }
    for (const { what, pattern } of shapes) {
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
function isOneObject(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The place of a finding without what was found.
 * @param {string} text
 * @param {Match} match
 */
const masked = (text, { start, end }) =>
  `${text.slice(Math.max(0, start - 60), start)}*****${text.slice(end, end + 40)}`;

/**
 * Searches every log in the folder for every value in it that must not be there.
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
      if (setupLine.test(text)) continue;
      const match = find(text);
      if (match) findings.push({ file, line: number, what: match.what, shown: masked(text, match) });
      else if (file.endsWith('.jsonl') && !isOneObject(text)) {
        findings.push({ file, line: number, what: 'no JSON', shown: text.slice(0, 100) });
      }
    }
  }
  return { lines, secrets: secrets.size, findings };
}
