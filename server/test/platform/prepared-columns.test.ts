import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database, plannedAnew } from '../../src/db/client.ts';
import { compiledOnce } from '../../src/db/compiled.ts';
import { createLog } from '../../src/log.ts';
import { createTestDatabase } from '../support/test-app.ts';

// What a connection was told of a statement's columns is kept for as long as it is open.

let databaseUrl: string;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
});

function open(connections: number): { pool: pg.Pool; db: Database; described: () => number } {
  const pool = createPool(databaseUrl, connections, createLog('silent'));
  pools.push(pool);
  let count = 0;
  pool.on('connect', (client) => {
    // The first of each connection is the question whether the database can be written.
    let isFirst = true;
    (client as unknown as { connection: pg.Connection }).connection.on('rowDescription', () => {
      if (!isFirst) count += 1;
      isFirst = false;
    });
  });
  return { pool, db: createDatabase(pool), described: () => count };
}

async function makeTable(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(
    `create table ${name} (id int, label text); insert into ${name} values (1, '11'), (2, '22')`,
  );
}

const labelsOf = (table: string) =>
  compiledOnce((db, { id }: { id: number }) =>
    db.selectNoFrom(sql<unknown>`(select label from ${sql.table(table)} where id = ${id})`.as('label')),
  );

it('asks for the columns of a statement once on each connection', async () => {
  const { pool, db, described } = open(2);
  await makeTable(pool, 'asked');
  const find = labelsOf('asked');
  for (let round = 0; round < 5; round += 1) expect(await find(db, { id: 2 })).toEqual([{ label: '22' }]);
  expect(described()).toBe(1);
  const held = await pool.connect();
  for (const id of [1, 2, 3])
    expect(await find(db, { id })).toEqual([{ label: id < 3 ? `${id}${id}` : null }]);
  held.release();
  expect(described()).toBe(2);
});

it('keeps the columns of one statement apart from those of another', async () => {
  const { db } = open(1);
  const one = compiledOnce((of, { value }: { value: number }) =>
    of.selectNoFrom([sql`${value}::int`.as('left'), sql`now()`.as('right')]),
  );
  const other = compiledOnce((of, { value }: { value: number }) =>
    of.selectNoFrom([sql`true`.as('right'), sql`${value}::text`.as('left'), sql`null::date`.as('more')]),
  );
  for (const value of [1, 2]) {
    expect(await one(db, { value })).toEqual([{ left: value, right: expect.any(Date) }]);
    expect(await other(db, { value })).toEqual([{ right: true, left: String(value), more: null }]);
  }
});

it('asks each time where a statement is planned anew', async () => {
  const { db, described } = open(1);
  const find = compiledOnce((of, { value }: { value: number }) =>
    of.selectNoFrom(sql`${plannedAnew} ${value}::int`.as('value')),
  );
  for (const value of [1, 2, 3]) expect(await find(db, { value })).toEqual([{ value }]);
  expect(described()).toBe(3);
});

it('fails rather than read a column as what it no longer is, and a new connection reads it as it is', async () => {
  const { pool, db } = open(1);
  await makeTable(pool, 'changing');
  const find = labelsOf('changing');
  expect(await find(db, { id: 1 })).toEqual([{ label: '11' }]);
  await pool.query('alter table changing alter label type int using label::int');
  await expect(find(db, { id: 1 })).rejects.toThrow('cached plan must not change result type');
  const fresh = open(1);
  expect(await find(fresh.db, { id: 1 })).toEqual([{ label: 11 }]);
});

it('writes every kind of value so that it is read as the same', async () => {
  const { db } = open(1);
  const echo = (value: unknown, type: string) =>
    sql<{ value: unknown }>`select ${value}::${sql.raw(type)} as value`.execute(db);
  const values: [unknown, string][] = [
    [['plain', '', 'a "quoted" one', 'back\\slash', 'a, b', '{x}', 'NULL', ' edge ', 'Zürich\n'], 'text[]'],
    [[null, 'x', null], 'text[]'],
    [
      [
        ['a', 'b'],
        ['c', '"'],
      ],
      'text[][]',
    ],
    [[1, -2.5, 3e-7], 'float8[]'],
    [[], 'int[]'],
    [[true, false], 'bool[]'],
    [[new Date('2026-01-31T12:00:00.123Z')], 'timestamptz[]'],
    [{ a: [1, 'x', null], 'quoted "b"': { c: true } }, 'jsonb'],
    [true, 'bool'],
    [12.5, 'float8'],
    ['{not a list}', 'text'],
    [Buffer.from([0, 92, 255]), 'bytea'],
    [[Buffer.from([0, 92, 34, 255]), Buffer.alloc(0)], 'bytea[]'],
    [undefined, 'text'],
  ];
  for (const [value, type] of values)
    expect((await echo(value, type)).rows, type).toEqual([{ value: value ?? null }]);
  const part = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
  expect((await echo(part, 'bytea')).rows).toEqual([{ value: Buffer.from([1, 2]) }]);
});

it('fails alone when a value cannot be read', async () => {
  const { db } = open(1);
  const point: number = 600;
  const usual = pg.types.getTypeParser(point);
  pg.types.setTypeParser(point, () => {
    throw new Error('no such point');
  });
  try {
    const find = compiledOnce((of, { x }: { x: number }) =>
      of.selectNoFrom(sql`case when ${x}::int > 0 then point(${x}::int, 1) end`.as('at')),
    );
    expect(await find(db, { x: 0 })).toEqual([{ at: null }]);
    await expect(find(db, { x: 1 })).rejects.toThrow('no such point');
    expect(await find(db, { x: 0 })).toEqual([{ at: null }]);
  } finally {
    pg.types.setTypeParser(point, usual);
  }
});
