import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import type { Answer } from '@customer-database/testkit/client';
import { leakedInto } from '@customer-database/testkit/leaks';
import { beforeAll, describe, expect, it } from 'vitest';
import { goThroughEverything, type Journey } from './secret-journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await goThroughEverything();
}, 120_000);

describe('After all that, the log', () => {
  const lines = () => journey.log().split('\n').filter(Boolean);

  it('has one JSON object per line, with a level and a time', () => {
    expect(lines().length).toBeGreaterThan(60);
    for (const line of lines()) {
      expect(JSON.parse(line)).toMatchObject({
        level: expect.stringMatching(/^(trace|debug|info|warn|error|fatal)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
    }
  });

  it('contains no secret, and neither does the output of the command line', () => {
    expect(Object.keys(journey.secrets).length).toBeGreaterThan(35);
    expect(leakedInto(lines().join('\n'), journey.secrets)).toEqual([]);
    expect(leakedInto(journey.printed, journey.secrets)).toEqual([]);
    expect(lines().join('\n')).not.toMatch(/argon2|signature=|Bearer |\/login\?/);
  });

  it('names each failure and its request or job', () => {
    const all = lines().map((line) => JSON.parse(line));
    const failed = all.filter(({ msg }) => msg === 'request failed');
    expect(new Set(failed.map(({ code }) => code))).toEqual(
      new Set(['INTERNAL_ERROR', 'STORAGE_UNAVAILABLE']),
    );
    for (const { request_id, err } of failed) {
      expect(request_id).toMatch(/^[\da-f-]{36}$/);
      expect(err.message).toMatch(/\S/);
    }
    const jobs = all.filter(({ msg }) => msg === 'job failed');
    const names = new Set(jobs.map(({ job }) => job));
    // Whether it meets the storage while that is away depends on its turn.
    names.delete('extract-texts');
    expect(names).toEqual(new Set(['send-invitation', 'delete-object']));
    for (const { job_id, attempt, err } of jobs) {
      expect(job_id).toEqual(expect.any(String));
      expect(attempt).toBeGreaterThan(0);
      expect(err.message).toMatch(/\S/);
    }
  });
});

it('No table contains a password, a token, a seed or a recovery code', () => {
  expect(journey.tables).toContain('first@example.com');
  const neverStored = Object.entries(journey.secrets).filter(
    // The text of a document is stored for the search, and six digits occur by chance.
    ([name, value]) => name !== 'body of a text file' && !/^\d{6}$/.test(value),
  );
  expect(leakedInto(journey.tables, Object.fromEntries(neverStored))).toEqual([]);
});

it('No error response repeats its input', () => {
  expect(journey.refusals.length).toBeGreaterThan(15);
  expect(leakedInto(JSON.stringify(journey.refusals), journey.secrets)).toEqual([]);
});

const textOf = ({ body, headers }: Answer) => JSON.stringify([body, [...headers]]);

describe('API responses', () => {
  it('are checked here for every call', () => {
    const answered = new Set(journey.answers.map(({ name }) => name));
    const described = operationsOf(apiDocument(journey.app)).map(({ name }) => name);
    expect(described.filter((name) => !answered.has(name))).toEqual([]);
  });

  it('contain no password hash, no encrypted seed and no storage key', () => {
    for (const { name, answer } of journey.answers) {
      const text = textOf(answer);
      for (const secret of journey.stored) expect(text, name).not.toContain(secret);
      expect(text, name).not.toMatch(/argon2|password_hash|mfa_secret|storage_key|token_hash/);
    }
  });

  it('contain the MFA seed once, for the authenticator app', () => {
    const { seed = '' } = journey.secrets;
    expect(seed).toMatch(/^[A-Z2-7]{32}$/);
    const withSeed = journey.answers.filter(({ answer }) => textOf(answer).includes(seed));
    expect(withSeed.map(({ name }) => name)).toEqual(['POST /api/auth/mfa/setup/start']);
  });

  it('put no session token into a URL', () => {
    const urls = journey.answers.flatMap(({ answer: { body, headers } }) => [
      ...(JSON.stringify(body).match(/\w+:\/\/[^"]+/g) ?? []),
      headers.get('location') ?? '',
    ]);
    expect(urls.filter(Boolean).length).toBeGreaterThan(2);
    const tokens = Object.entries(journey.secrets).filter(([name]) => name.startsWith('token'));
    expect(tokens.length).toBeGreaterThan(5);
    expect(leakedInto(urls.join('\n'), Object.fromEntries(tokens))).toEqual([]);
  });
});
