import { limits } from '@customer-database/contract/limits';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeUser, type TestUser } from '../support/factories.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const cap = limits.maxSearchCount;

let app: TestApp;
let staff: TestUser;

/**
 * Names that begin with a term, and others that have it further on: these come before, among and after those.
 * Of 'Quorn' there are so many that nobody counts them, of the others about as many as are counted.
 */
beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  await app.pool.query(
    `insert into customers (name, created_at, updated_at)
     select format(name, place), now(), now()
     from (values
       ('Quorn %s', 31000), ('A quorn %s', 40), ('Quor %s Quorn', 40), ('Quorz Quorn %s', 40), ('Zum Quorn %s', 40),
       ('Berg %s', ${cap + 300}), ('Am Berg %s', 30), ('Ber %s Berg', 30), ('Berg Berg %s', 30), ('Zum Berg %s', 30),
       ('Fünf %s', ${cap - 60}), ('Alle fünf %s', 30), ('Zu Fünf %s', 30),
       ('Elf\\%%_ %s', 30), ('Die elf\\%%_ %s', 30), ('Elfen %s', 30)
     ) as t (name, records), generate_series(1, records) as place`,
  );
  await app.pool.query('vacuum analyze customers');
});

/** The records, their order and their count as a plain comparison finds them. */
async function expectFound(name: string, atLimits = [500, 60, 1, 0]): Promise<number> {
  const { rows } = await app.pool.query(
    `select id from customers where strpos(name_search, search_text($1)) > 0 order by name_search collate "C", id`,
    [name],
  );
  const all = rows.map((row: { id: number }) => row.id);
  for (const limit of atLimits) {
    const { status, body } = await staff.client.post('/api/customers/search', { name, limit });
    expect(status).toBe(200);
    const ids = body.customers.map((customer: { id: number }) => customer.id);
    expect(
      { ids, count: body.count, isCapped: body.count_is_capped },
      JSON.stringify({ name, limit }),
    ).toEqual({ ids: all.slice(0, limit), count: Math.min(all.length, cap), isCapped: all.length > cap });
  }
  return all.length;
}

describe('POST /api/customers/search answers the first by name, and counts as far as is counted,', () => {
  it('where plenty begin with the term and some have it further on', async () => {
    expect(await expectFound('Quorn')).toBe(31_160);
    expect(await expectFound('QUO')).toBe(31_160);
    expect(await expectFound('qu')).toBe(31_160);
    expect(await expectFound('quorn 1')).toBeGreaterThan(cap);
  });

  it('with the same records as they are one by one', async () => {
    for (const name of ['quo', 'Quorn', 'berg berg']) {
      const { body } = await staff.client.post('/api/customers/search', { name, limit: 3 });
      expect(body.customers).toHaveLength(3);
      for (const customer of body.customers) {
        expect((await staff.client.get(`/api/customers/${customer.id}`)).body).toEqual({ customer });
      }
    }
  });

  it('where more than are counted begin with the term and some have it further on', async () => {
    expect(await expectFound('Berg')).toBe(cap + 420);
    expect(await expectFound('ber')).toBe(cap + 420);
    expect(await expectFound('BERG 1')).toBeLessThan(cap);
  });

  it('where all but a few of those that are counted begin with the term', async () => {
    expect(await expectFound('fünf')).toBe(cap);
    expect(await expectFound('FUNF')).toBe(cap);
    await app.pool.query(
      `insert into customers (name, created_at, updated_at) values ('Zwei Fünf', now(), now())`,
    );
    expect(await expectFound('fünf')).toBe(cap + 1);
    // Now all of them begin with it.
    await app.pool.query(`update customers set name = 'Fünf ' || id where name ~ '^(Alle|Zu|Zwei) [Ff]ünf'`);
    expect(await expectFound('fünf')).toBe(cap + 1);
    await app.pool.query(`delete from customers where name in ('Fünf 1', 'Fünf 2')`);
    expect(await expectFound('fünf')).toBe(cap - 1);
  });

  it('where a name begins with the term and has it further on, once for each name', async () => {
    expect(await expectFound('berg berg')).toBe(30);
    expect(await expectFound('berg berg 7')).toBe(1);
    expect(await expectFound('rg be')).toBe(30);
  });

  it('where wildcards and backslashes are what the name begins with', async () => {
    expect(await expectFound('elf\\%_')).toBe(60);
    expect(await expectFound('ELF\\')).toBe(60);
    expect(await expectFound('elf%')).toBe(0);
    expect(await expectFound('elf_n')).toBe(0);
    expect(await expectFound('%')).toBe(60);
    expect(await expectFound('elf')).toBe(90);
  });

  it('where nothing is left of the term, so that all names begin with it', async () => {
    expect(await expectFound('\u0301')).toBeGreaterThan(50_000);
  });
});
