import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { searchLogs } from '../../../scripts/log-search.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-search-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function search(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return searchLogs(folder);
}

it('logs are searched for recorded secrets, plain and JSON-escaped', async () => {
  const { lines, secrets, findings } = await search({
    'secrets-1.jsonl': '["token","abcdefghijklmnopqrstuvwxyz"]\n',
    'secrets-2.jsonl': '["password","a \\"quoted\\" pässword"]\n',
    'log-1-1.jsonl': '{"msg":"well"}\n{"msg":"not abcdefghijklmnopqrstuvwxyz well"}\nno JSON\n',
    'log-2-1.txt': 'Create the first administrator at http://x#abcdefghijklmnopqrstuvwxyz\nhello\n',
    'log-2-2.txt': 'a "quoted" pässword\n',
    'log-2-3.jsonl': '{"msg":"a \\"quoted\\" pässword"}\n',
  });
  expect({ lines, secrets }).toEqual({ lines: 7, secrets: 2 });
  expect(findings).toEqual(
    expect.arrayContaining([
      { file: 'log-1-1.jsonl', line: 2, what: 'token' },
      { file: 'log-1-1.jsonl', line: 3, what: 'no JSON' },
      { file: 'log-2-2.txt', line: 1, what: 'password' },
      { file: 'log-2-3.jsonl', line: 1, what: 'password' },
    ]),
  );
  expect(findings).toHaveLength(4);
});

it.each([
  'authorization: Bearer abcdefghijkl',
  '/content?signature=abcd',
  '%PDF-1.4',
  'JVBERi0xLjQK',
  '$argon2id$v=19',
  '-----BEGIN PRIVATE KEY',
])('what looks like a secret is found in a log: %s', async (text) => {
  const { findings } = await search({ 'log-1-1.jsonl': `{"msg":"well"}\n{"msg":"${text}"}\n` });
  expect(findings).toMatchObject([{ file: 'log-1-1.jsonl', line: 2 }]);
});
