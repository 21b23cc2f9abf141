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
