import { makeCustomer, makeUser, testPassword } from '@customer-database/testkit/factories';
import { login } from '@customer-database/testkit/sign-in';
import { createTestDatabase, startTestApp } from '@customer-database/testkit/test-app';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool, type Database } from '../../src/db/client.ts';
import { compiledOnce, type Parameter } from '../../src/db/compiled.ts';

let databaseUrl: string;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  const { pool } = open(1);
  await pool.query(`
    insert into customers (name, city, created_at, updated_at)
    select 'Customer ' || place, case when place % 2 = 0 then 'Town ' || place end, now(), now()
    from generate_series(1, 20) as place`);
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
});

function open(connections: number): { pool: pg.Pool; db: Database } {
  const pool = createPool(databaseUrl, connections, createLog('silent'));
  pools.push(pool);
  return { pool, db: createDatabase(pool) };
}

type Prepared = { name: string; statement: string };

/** Queried directly on the pool's only connection, not through Kysely. */
async function preparedOn(pool: pg.Pool | pg.PoolClient): Promise<Prepared[]> {
  const { rows } = await pool.query<Prepared>('select name, statement from pg_prepared_statements');
  return rows;
}

const run = <Row>(db: Database, text: string) => sql.raw<Row>(text).execute(db);

describe('compiledOnce', () => {
  const byId = () =>
    compiledOnce((db, value: Parameter<{ id: number }>) =>
      db.selectFrom('customers').select(['id', 'name']).where('id', '=', value('id')),
    );

  it('builds its statement once, and returns rows for the values of each call, also concurrently', async () => {
    const { db } = open(4);
    let built = 0;
    const find = compiledOnce((of, value: Parameter<{ id: number }>) => {
      built += 1;
      return of.selectFrom('customers').select(['id', 'name']).where('id', '=', value('id'));
    });
    const ids = Array.from({ length: 20 }, (_, place) => place + 1);
    const found = await Promise.all(ids.map((id) => find(db, { id })));
    expect(found.flat()).toEqual(ids.map((id) => ({ id, name: `Customer ${id}` })));
    expect(await find(db, { id: 999 })).toEqual([]);
    expect(built).toBe(1);
  });

  it('binds each value in its places, among constants', async () => {
    const { db } = open(1);
    const find = compiledOnce((of, value: Parameter<{ low: number; high: number }>) =>
      of
        .selectFrom('customers')
        .select([
          'id',
          sql<number>`${value('high')}::int - ${value('low')}::int`.as('width'),
          sql<string>`${'fixed'}::text`.as('word'),
        ])
        .where('id', '>=', value('low'))
        .where('id', '<=', value('high'))
        .where('name', '<>', 'Customer 4')
        .where('id', '<>', value('low'))
        .orderBy('id'),
    );
    const ids = async (low: number, high: number) => (await find(db, { low, high })).map(({ id }) => id);
    expect(await ids(2, 5)).toEqual([3, 5]);
    expect(await ids(18, 20)).toEqual([19, 20]);
    expect(await find(db, { high: 7, low: 5 })).toEqual([
      { id: 6, width: 2, word: 'fixed' },
      { id: 7, width: 2, word: 'fixed' },
    ]);
  });

  it('works inside transactions, wherever it was used first', async () => {
    const { db } = open(3);
    for (const isFirstInside of [true, false]) {
      const find = byId();
      if (!isFirstInside) await find(db, { id: 1 });
      const undone = new Error('undone');
      const work = db.transaction().execute(async (tx) => {
        await tx.updateTable('customers').set({ name: 'Changed' }).where('id', '=', 5).execute();
        expect(await find(tx, { id: 5 })).toEqual([{ id: 5, name: 'Changed' }]);
        expect(await find(db, { id: 5 })).toEqual([{ id: 5, name: 'Customer 5' }]);
        throw undone;
      });
      await expect(work).rejects.toBe(undone);
      expect(await find(db, { id: 5 })).toEqual([{ id: 5, name: 'Customer 5' }]);
    }
  });
});

describe('a statement', () => {
  it('that is compiled once is prepared once per connection, under a name derived from its text', async () => {
    const { pool, db } = open(2);
    const find = compiledOnce((of, value: Parameter<{ id: number }>) =>
      of.selectFrom('customers').select('id').where('id', '=', value('id')),
    );
    const one = await pool.connect();
    for (const id of [1, 2, 3]) await find(db, { id });
    const other = await pool.connect();
    one.release();
    for (const id of [1, 2, 3]) await find(db, { id });
    const again = await pool.connect();
    const statement = 'select "id" from "customers" where "id" = $1';
    expect(await preparedOn(other)).toEqual([{ name: expect.stringMatching(/^[\w-]{22}$/), statement }]);
    expect(await preparedOn(again)).toEqual(await preparedOn(other));
    again.release();
    other.release();
  });

  it('of any other kind is not prepared', async () => {
    const { pool, db } = open(1);
    for (let round = 0; round < 3; round += 1) {
      await db.selectFrom('customers').select('name').where('id', '=', round).execute();
      await run(db, 'select 1');
    }
    expect(await preparedOn(pool)).toEqual([]);
  });

  it('that fails works the next time, and so does its connection', async () => {
    const { db } = open(1);
    const share = compiledOnce((of, value: Parameter<{ by: number }>) =>
      of.selectNoFrom(sql<number>`10 / ${value('by')}::int`.as('share')),
    );
    for (const by of [5, 2]) {
      await expect(share(db, { by: 0 })).rejects.toThrow('division by zero');
      await expect(db.transaction().execute((tx) => share(tx, { by: 0 }))).rejects.toThrow(
        'division by zero',
      );
      await expect(run(db, 'select nothing from here')).rejects.toThrow('does not exist');
      expect(await share(db, { by })).toEqual([{ share: 10 / by }]);
    }
  });

  it('keeps working when a newer version adds a column to its table', async () => {
    const app = await startTestApp();
    const { client, email } = await makeUser(app, 'admin');
    await makeCustomer(client);
    await app.pool.query('alter table users add later text');
    await app.pool.query('alter table customers add later text');
    expect((await client.get('/api/customers')).status).toBe(200);
    expect((await client.get('/api/auth/verify')).status).toBe(200);
    expect((await login(app, email, testPassword)).status).toBe(200);
  });
});
