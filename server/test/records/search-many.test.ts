import { limits } from '@customer-database/contract/limits';
import { sql } from 'kysely';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { contains, every, type Form, wholeTerm } from '../../src/db/filters.ts';
import { type SearchPlan, search } from '../../src/db/search.ts';
import { makeUser, type TestUser } from '../support/factories.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const cap = limits.maxSearchCount;

let app: TestApp;
let staff: TestUser;

/** More than any search goes through one by one. */
const before = 41_000;

/** All but a few hold 'common', far more than are counted; those with Zulu come after all the others. */
beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  const client = await app.pool.connect();
  // Filling them takes longer than all that follows, and no answer may depend on them.
  await client.query('drop index customers_search_name, customers_search_name_letters');
  await client.query(`
    insert into customers (name, city, created_at, updated_at)
    select name || ' common ' || place, case when place % 5 = 0 then 'Fifth' end, now(), now()
    from (values ('Bravo', ${before - cap}), ('Mike', ${cap}), ('Zulu', 12500)) as t (name, records),
      generate_series(1, records) as place
    union all select 'Mikado', null, now(), now()
    union all select 'Zebra ' || place, null, now(), now() from generate_series(1, 300) as place`);
  await tellChanges(client);
  await client.query('vacuum analyze customers');
  client.release();
});

/** By itself a connection may keep to itself for ten seconds how much it changed. */
async function tellChanges(client: pg.PoolClient): Promise<void> {
  await client.query('select pg_stat_force_next_flush()');
}

type Filters = { name?: string; city?: string };

async function found(filters: Filters, limit: number, offset = 0) {
  const { status, body } = await staff.client.post('/api/customers/search', { ...filters, limit, offset });
  expect(status).toBe(200);
  const ids: number[] = body.customers.map((customer: { id: number }) => customer.id);
  return { ids, count: body.count, count_is_capped: body.count_is_capped };
}

/** The records, their order and their count as a plain comparison finds them. */
async function expectFound(filters: Filters, atLimits = [500, 7, 1, 0]): Promise<number> {
  const { rows } = await app.pool.query(
    `select id from customers where strpos(name_search, $1) > 0 and strpos(coalesce(city_search, ''), $2) > 0
     order by name_search, id`,
    [filters.name ?? '', filters.city ?? ''],
  );
  const all = rows.map((row: { id: number }) => row.id);
  for (const limit of atLimits) {
    expect(await found(filters, limit), JSON.stringify({ ...filters, limit })).toEqual({
      ids: all.slice(0, limit),
      count: Math.min(all.length, cap),
      count_is_capped: all.length > cap,
    });
  }
  return all.length;
}

/** Whether the search of a name looks for all of its matches, or knows enough after those that come first. */
async function looksForAll(name: string, limit: number): Promise<boolean> {
  const asked = new Set<Form>();
  const filters = [contains('name_search', wholeTerm(name))];
  const plan: SearchPlan = {
    table: 'customers',
    filters: 1,
    atMost: Number.POSITIVE_INFINITY,
    isGuessGood: true,
    order: sql`name_search, id`,
    matching: (form) => {
      asked.add(form);
      return sql`select id, name_search from customers where ${every(filters, form)}`;
    },
    inOrder: (lookAt) => {
      expect(lookAt).toBeLessThan(before);
      return sql`
        select id, name_search from (select * from customers order by name_search, id limit ${lookAt}) as customers
        where ${every(filters, 'plain')}`;
    },
    total: undefined,
  };
  const { ids, matches } = await search(app.deps.db, plan, { limit, offset: 0 });
  expect({ ids, count: matches.count, count_is_capped: matches.isCapped }).toEqual(
    await found({ name }, limit),
  );
  return asked.has('indexed');
}

describe('POST /api/customers/search where very many match', () => {
  it('counts up to the most that are counted, and not one further', async () => {
    expect(await expectFound({ name: 'mike' })).toBe(cap);
    expect(await expectFound({ name: 'mik' })).toBe(cap + 1);
  });

  it('answers the first by name of plenty', async () => {
    expect(await expectFound({ name: 'common' })).toBe(before + 12_500);
    expect(await expectFound({ name: 'omm' })).toBe(before + 12_500);
    await expectFound({ name: 'o' });
    for (const limit of [500, 1, 0]) expect(await looksForAll('common', limit)).toBe(false);
  });

  it('answers the first by name where they are many, but not plenty', async () => {
    expect(await expectFound({ name: 'mike common' })).toBe(cap);
    expect(await expectFound({ name: 'common 1' })).toBeGreaterThan(cap);
    for (const limit of [500, 1, 0]) expect(await looksForAll('mike', limit)).toBe(true);
  });

  it('answers the first by name where they all come late in the alphabet', async () => {
    expect(await expectFound({ name: 'zulu' })).toBe(12_500);
    expect(await expectFound({ name: 'z' })).toBe(12_800);
    for (const limit of [500, 1, 0]) expect(await looksForAll('zulu', limit)).toBe(true);
  });

  it('answers the first by name where few match', async () => {
    expect(await expectFound({ name: 'zebra' })).toBe(300);
    expect(await expectFound({ name: 'common 77' })).toBeGreaterThan(0);
    expect(await expectFound({ name: 'nobody' })).toBe(0);
    expect(await looksForAll('zebra', 500)).toBe(true);
  });

  it('counts exactly where two filters leave few of many, and where they leave many', async () => {
    expect(await expectFound({ name: 'common', city: 'fifth' })).toBe((before + 12_500) / 5);
    expect(await expectFound({ name: 'zulu', city: 'fifth' })).toBe(2_500);
    expect(await expectFound({ name: 'zebra', city: 'fifth' })).toBe(0);
  });

  it.each([{ name: 'common' }, { name: 'zulu' }, { name: 'common', city: 'fifth' }, {}])(
    '%j is read on up to the last that is counted, none twice and none left out',
    async (filters) => {
      const { rows } = await app.pool.query(
        `select id from customers where strpos(name_search, $1) > 0 and strpos(coalesce(city_search, ''), $2) > 0
       order by name_search, id limit ${cap}`,
        [filters.name ?? '', filters.city ?? ''],
      );
      const parts: number[] = [];
      for (let offset = 0; offset < cap; offset += 500)
        parts.push(...(await found(filters, 500, offset)).ids);
      expect(parts).toEqual(rows.map((row: { id: number }) => row.id));
      expect(await found(filters, 0, 500)).toMatchObject({ ids: [] });
    },
  );

  it('is not read beyond what is counted', async () => {
    for (const offset of [-1, 1.5, '1', cap - 499]) {
      const { status, body } = await staff.client.post('/api/customers/search', { name: 'zulu', offset });
      expect(status).toBe(400);
      expect(body.fields).toEqual({ offset: 'offset must be a whole number from 0 to 9500' });
    }
  });

  it('without filters counts all of them', async () => {
    const { rows } = await app.pool.query('select id from customers order by name_search, id');
    const all = rows.map((row: { id: number }) => row.id);
    for (const limit of [0, 1, 500]) {
      expect(await found({}, limit)).toEqual({
        ids: all.slice(0, limit),
        count: all.length,
        count_is_capped: false,
      });
    }
  });
});

it('counts exactly when most of plenty are gone or renamed since statistics were made', async () => {
  const client = await app.pool.connect();
  await client.query(`delete from customers where name_search like 'bravo%'`);
  await client.query(`update customers set name = 'Rare ' || id where name_search like 'zulu%'`);
  await tellChanges(client);
  client.release();
  expect(await expectFound({ name: 'common' })).toBe(cap);
  expect(await expectFound({ name: 'bravo' })).toBe(0);
  expect(await expectFound({ name: 'rare' })).toBe(12_500);
  await app.pool.query(`delete from customers where name_search = 'mike common 1'`);
  expect(await expectFound({ name: 'common' })).toBe(cap - 1);
  // Of three letters it is known for ten minutes how common they were.
  expect(await expectFound({ name: 'omm' })).toBe(cap - 1);
  await app.pool.query('analyze customers');
  expect(await expectFound({ name: 'omm' })).toBe(cap - 1);
});
