import { basename } from 'node:path';
import {
  activitySince,
  breakActivityLog,
  breakCommits,
  lastActivityId,
} from '@customer-database/testkit/activity';
import {
  anna,
  changed,
  columns,
  csv,
  expectNothing,
  forgetCustomers,
  importPath,
  importText,
  makeFile,
  many,
  namesOf,
  refusals,
} from '@customer-database/testkit/customer-files';
import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withOwnConnection } from '../../src/db/own-connection.ts';

let app: TestApp;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
});
beforeEach(() => forgetCustomers(app));

async function activityOf<T>(work: () => Promise<T>) {
  const before = await lastActivityId(app);
  const result = await work();
  return { result, rows: await activitySince(app, before) };
}

describe('An import', () => {
  it('adds every line as a customer, created now', async () => {
    app.clock.set('2025-06-01T12:00:00Z');
    await importText(app, csv(anna, ['\\N ok\\t', '2025-06-01', 'b@example.com', '', '', '', '', '']));
    app.clock.set(new Date());
    const { rows } = await app.pool.query('select * from customers order by id');
    expect(rows[0]).toMatchObject(Object.fromEntries(columns.map((name, index) => [name, anna[index]])));
    expect(rows[1]).toMatchObject({ name: '\\N ok\\t', phone_number: null, city: null, country: null });
    for (const row of rows) {
      expect(row.updated_at).toEqual(row.created_at);
      expect(row.created_at.getTime() - Date.parse('2025-06-01T12:00:00Z')).toBeLessThan(60_000);
    }
  });

  it('is one activity row with its totals, which the dashboard shows', async () => {
    const path = await makeFile(csv(...many(1_234), changed('email', 'nonsense')));
    const { rows } = await activityOf(() => importPath(app, path, { skipBad: true }));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      action: 'customers.imported',
      actor_id: null,
      actor_label: 'command line (test)',
      subject_type: 'customer',
      subject_id: null,
      subject_label: '1,234 customers',
      detail: { file: basename(path), imported: 1_234, skipped: 1 },
      shown: true,
    });
    const { body } = await staff.client.get('/api/dashboard');
    expect(body.customers.total).toBe(1_234);
    expect(body.recent_activity[0]).toMatchObject({
      action: 'customers.imported',
      actor_name: 'command line (test)',
      subject_id: null,
      subject_label: '1,234 customers',
    });
    const found = await staff.client.post('/api/customers/search', { name: 'anna 1233' });
    expect(found.body.count).toBe(1);
  });

  it('reports progress', async () => {
    const progress: [number, number][] = [];
    await importText(app, csv(...many(3_000)), { onProgress: (lines, part) => progress.push([lines, part]) });
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toEqual([3_000, 1]);
    expect(progress.map(([lines]) => lines)).toEqual(progress.map(([lines]) => lines).sort((a, b) => a - b));
  });

  it('is not subject to the timeouts of requests', async () => {
    const limits = await withOwnConnection(app.pool, async ({ client }) => {
      const show = async (name: string) => (await client.query(`show ${name}`)).rows[0][name];
      return [await show('statement_timeout'), await show('idle_in_transaction_session_timeout')];
    });
    expect(limits).toEqual(['0', '0']);
  });

  it('leaves nothing when its row in the log cannot be written', async () => {
    const repair = await breakActivityLog(app);
    await expect(importText(app, csv(anna))).rejects.toThrow('disk full');
    await repair();
    expect(await namesOf(app)).toEqual([]);
  });

  it('leaves nothing when it fails at the very end', async () => {
    const repair = await breakCommits(app, 'customers');
    await expectNothing(app, () => expect(importText(app, csv(anna))).rejects.toThrow('cut off'));
    await repair();
  });
});

describe('A line is refused', () => {
  const tomorrow = () => new Date(app.clock.now().getTime() + 48 * 3_600_000).toISOString().slice(0, 10);

  it.each([
    ['name', '', 'Name is required'],
    ['name', 'x'.repeat(201), 'Name must be at most 200 characters'],
    ['name', '"two\nlines"', 'Name must be a single line of text'],
    ['name', 'a\0b', 'Name contains characters that cannot be stored'],
    ['dob', '', 'Date of Birth is required'],
    ['dob', '29.02.1980', 'Date of Birth must be a date like 2026-01-31'],
    ['email', 'anna', 'Email: Invalid email address'],
    ['city', 'x'.repeat(101), 'City must be at most 100 characters'],
  ])('as the API would refuse it: %s %j', async (field, value, reason) => {
    const result = await importText(app, csv(anna, changed(field, value)));
    expect(refusals(result)).toEqual([`line 3: ${reason}`]);
  });

  it('when the date of birth is in the future', async () => {
    const result = await importText(app, csv(changed('dob', tomorrow())));
    expect(refusals(result)).toEqual(['line 2: Date of Birth must not be in the future']);
    expect(
      (await importText(app, csv(changed('dob', app.clock.now().toISOString().slice(0, 10))))).imported,
    ).toBe(1);
  });

  it('with all its errors', async () => {
    const result = await importText(app, csv(['', 'then', 'anna', ...anna.slice(3)]));
    expect(refusals(result)).toEqual([
      'line 2: Name is required; Date of Birth must be a date like 2026-01-31; Email: Invalid email address',
    ]);
  });

  it('when it has more or fewer columns than the header', async () => {
    const result = await importText(app, csv(anna.slice(1), anna, [...anna, 'more'], anna.slice(0, 1)));
    expect(refusals(result)).toEqual([
      'line 2: 7 columns instead of 8',
      'line 4: 9 columns instead of 8',
      'line 5: 1 column instead of 8',
    ]);
  });

  it('but not for values of the maximum length', async () => {
    const long = changed('name', '漢'.repeat(200)).with(5, 'x'.repeat(100));
    expect(await importText(app, csv(long))).toMatchObject({ imported: 1, refused: { count: 0 } });
    expect(await namesOf(app)).toEqual(['漢'.repeat(200)]);
  });
});

describe('With a refused line', () => {
  const content = csv(anna, changed('email', 'nonsense'), changed('name', 'Bea'));

  it('nothing is imported', async () => {
    await expectNothing(app, async () =>
      expect(await importText(app, content)).toEqual({
        good: 2,
        imported: 0,
        refused: { count: 1, first: [{ line: 3, reason: 'Email: Invalid email address' }] },
      }),
    );
  });

  it('nothing of a large file is imported either, wherever the line is', async () => {
    await expectNothing(app, async () => {
      const result = await importText(app, csv(...many(4_000), changed('name', ''), ...many(4_000)));
      expect(result).toMatchObject({ good: 8_000, imported: 0, refused: { count: 1 } });
      expect(refusals(result)).toEqual(['line 4002: Name is required']);
    });
  });

  it('the good ones are imported on request', async () => {
    const { result, rows } = await activityOf(() => importText(app, content, { skipBad: true }));
    expect(result).toMatchObject({ good: 2, imported: 2, refused: { count: 1 } });
    expect(await namesOf(app)).toEqual(['Anna', 'Bea']);
    expect(rows[0]?.detail).toMatchObject({ imported: 2, skipped: 1 });
  });

  it('and no good one there is nothing to import', async () => {
    await expectNothing(app, async () =>
      expect(await importText(app, csv(changed('name', '')), { skipBad: true })).toMatchObject({
        imported: 0,
      }),
    );
  });

  it.each([true, false])('a dry run reports it and writes nothing (skipping: %s)', async (skipBad) => {
    await expectNothing(app, async () =>
      expect(await importText(app, content, { skipBad, dryRun: true })).toMatchObject({
        good: 2,
        imported: 0,
        refused: { count: 1 },
      }),
    );
  });
});

describe('An import that is interrupted', () => {
  it.each([true, false])('while reading leaves nothing (dry run: %s)', async (dryRun) => {
    const interrupt = new AbortController();
    await expectNothing(app, () =>
      expect(
        importText(app, csv(...many(5_000)), {
          dryRun,
          signal: interrupt.signal,
          onProgress: () => interrupt.abort(),
        }),
      ).rejects.toThrow(),
    );
  });
});
