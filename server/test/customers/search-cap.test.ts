import { limits } from '@customer-database/contract/limits';
import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

const cap = limits.maxSearchCount;

let app: TestApp;
let staff: TestUser;

/** Exactly the cap with Mike, more with Zulu; 'common' is in nearly all, but hardly any start with it. */
beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  await app.pool.query(`
    insert into customers (name, city, created_at, updated_at)
    select name || ' ' || place, case when place % 5 = 0 then 'Fifth' end, now(), now()
    from (values
        ('Am Zulu', 40), ('Mike common', ${cap}), ('Zulu common', 12500), ('Common room', 20), ('Zebra', 300)
      ) as t (name, records),
      generate_series(1, records) as place
    union all select 'Mikado', null, now(), now()`);
  await app.pool.query('vacuum analyze customers');
});

type Filters = { name?: string; city?: string };

async function found(filters: Filters, limit: number, offset = 0) {
  const { status, body } = await staff.client.post('/api/customers/search', { ...filters, limit, offset });
  expect(status).toBe(200);
  const ids: number[] = body.customers.map((customer: { id: number }) => customer.id);
  return { ids, count: body.count, count_is_capped: body.count_is_capped };
}

/** The reference: all matches in order, by a naive query. */
async function naiveSearch(filters: Filters): Promise<number[]> {
  const { rows } = await app.pool.query(
    `select id from customers where strpos(name_search, $1) > 0 and strpos(coalesce(city_search, ''), $2) > 0
     order by starts_with(name_search, $1) desc, name_search collate "C", id`,
    [filters.name ?? '', filters.city ?? ''],
  );
  return rows.map((row: { id: number }) => row.id);
}

async function expectFound(filters: Filters, atLimits = [500, 0]): Promise<number> {
  const all = await naiveSearch(filters);
  for (const limit of atLimits) {
    expect(await found(filters, limit), JSON.stringify({ ...filters, limit })).toEqual({
      ids: all.slice(0, limit),
      count: Math.min(all.length, cap),
      count_is_capped: all.length > cap,
    });
  }
  return all.length;
}

async function readAllPages(filters: Filters): Promise<number[]> {
  const ids: number[] = [];
  for (let offset = 0; offset < cap; offset += 500) ids.push(...(await found(filters, 500, offset)).ids);
  return ids;
}

describe('POST /api/customers/search with very many matches', () => {
  it('counts up to the cap, and not one further', async () => {
    expect(await expectFound({ name: 'mike' })).toBe(cap);
    expect(await expectFound({ name: 'mik' })).toBe(cap + 1);
    expect(await expectFound({ name: 'mi' }, [7])).toBe(cap + 1);
  });

  it('returns first those whose name starts with the term', async () => {
    expect(await expectFound({ name: 'zulu' })).toBe(12_540);
    expect(await expectFound({ name: 'z', city: 'fifth' }, [500])).toBe(2_568);
    expect(await expectFound({ name: 'common' }, [20, 7])).toBe(cap + 12_520);
    expect(await expectFound({ name: 'co' }, [20, 7])).toBe(cap + 12_520);
  });

  it('counts exactly where two filters leave few of many', async () => {
    expect(await expectFound({ name: 'common', city: 'fifth' })).toBe(4_504);
    expect(await expectFound({ name: 'zebra', city: 'fifth' })).toBe(60);
    expect(await expectFound({ name: 'mikado', city: 'fifth' })).toBe(0);
  });

  it('can be paged up to the cap, without repeats or gaps', async () => {
    const filters = { name: 'zulu' };
    expect(await readAllPages(filters)).toEqual((await naiveSearch(filters)).slice(0, cap));
    expect(await found(filters, 0, 500)).toMatchObject({ ids: [] });
  });

  it('where the rest is a part of many, it is still in order, without repeats', async () => {
    const order = new Map((await naiveSearch({ name: 'common' })).map((id, place) => [id, place]));
    const places = (await readAllPages({ name: 'common' })).map((id) => order.get(id) ?? Number.NaN);
    expect(places).toHaveLength(cap);
    expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
  });

  it('cannot be paged beyond the cap', async () => {
    for (const offset of [-1, 1.5, '1', cap - 499]) {
      const { status, body } = await staff.client.post('/api/customers/search', { name: 'zulu', offset });
      expect(status).toBe(400);
      expect(body.fields).toEqual({ offset: 'offset must be a whole number from 0 to 9500' });
    }
  });

  it('without filters counts and reads all by name', async () => {
    const all = await naiveSearch({});
    for (const [limit, offset] of [
      [0, 0],
      [1, 0],
      [500, 0],
      [500, 9_500],
    ] as const) {
      expect(await found({}, limit, offset)).toEqual({
        ids: all.slice(offset, offset + limit),
        count: all.length,
        count_is_capped: false,
      });
    }
  });
});
