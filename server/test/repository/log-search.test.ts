import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMsOf } from '@customer-database/testkit/cpu-time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searcherFor, searchLogs } from '../../../scripts/log-search.js';

describe('The search through logs', () => {
  const find = searcherFor(
    new Map([
      ['correct horse battery staple', 'password'],
      ['corrected horse', 'other password'],
      ['with "quotes" and ünicode', 'odd password'],
    ]),
  );

  it('finds values anywhere, plain and JSON-escaped', () => {
    expect(find('{"msg":"correct horse battery staple"}')).toMatchObject({ what: 'password' });
    expect(find('corrected horse')).toMatchObject({ what: 'other password', start: 0, end: 15 });
    expect(find(JSON.stringify({ msg: 'x with "quotes" and ünicode' }))).toMatchObject({
      what: 'odd password',
    });
    expect(find('correct horse battery stapl')).toBeUndefined();
    expect(find('')).toBeUndefined();
  });

  it.each([
    'authorization: Bearer abcdefghijkl',
    '/content?signature=abcd',
    '%PDF-1.4',
    'JVBERi0xLjQK',
    '$argon2id$v=19',
  ])('finds what looks like a secret: %s', (text) => {
    expect(find(`{"msg":"${text}"}`)).toBeDefined();
  });

  it('is fast with many values and long texts', async () => {
    const many = new Map(
      Array.from({ length: 5_000 }, (_, index) => [`${index * 7919}-secret-value`, 'value']),
    );
    const findMany = searcherFor(many);
    const text = '{"level":"info","path":"/api/customers","ms":3}'.repeat(20_000);
    const cost = await cpuMsOf(() => {
      expect(findMany(text)).toBeUndefined();
      expect(findMany(`${text}${4_999 * 7919}-secret-value`)).toBeDefined();
    });
    expect(cost).toBeLessThan(2_000);
  });
});

describe('A folder of logs', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-search-'));
    const files = {
      'secrets-1.jsonl': '["token","abcdefghijklmnopqrstuvwxyz"]\n',
      'secrets-2.jsonl': '["password","a password of somebody"]\n',
      'log-1-1.jsonl': '{"msg":"well"}\n{"msg":"not abcdefghijklmnopqrstuvwxyz well"}\nno JSON\n',
      'log-2-1.txt': 'Create the first administrator at http://x#abcdefghijklmnopqrstuvwxyz\nhello\n',
      'log-2-2.txt': 'a password of somebody\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is searched line by line, and findings name the place, not the secret', async () => {
    const { lines, secrets, findings } = await searchLogs(folder);
    expect({ lines, secrets }).toEqual({ lines: 6, secrets: 2 });
    expect(findings.sort((a, b) => a.what.localeCompare(b.what))).toEqual([
      { file: 'log-1-1.jsonl', line: 3, what: 'no JSON', shown: 'no JSON' },
      { file: 'log-2-2.txt', line: 1, what: 'password', shown: '*****' },
      { file: 'log-1-1.jsonl', line: 2, what: 'token', shown: '{"msg":"not ***** well"}' },
    ]);
  });
});
