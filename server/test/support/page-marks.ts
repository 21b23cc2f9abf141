import type pg from 'pg';
import { expect } from 'vitest';
import type { Noun } from '../../src/db/counts.ts';

const madeAt = { customers: 'created_at', documents: 'uploaded_at' } as const;

const origin = Date.parse('2024-05-01T00:00:00Z');
export const secondsIn = (seconds: number) => new Date(origin + seconds * 1000);

/** Customers made at these moments, in one statement. */
export async function insertCustomers(db: pg.Pool | pg.ClientBase, made: Date[]): Promise<void> {
  await db.query(
    `insert into customers (name, created_at, updated_at)
     select 'Customer ' || place, made, made from unnest($1::timestamptz[]) with ordinality as t (made, place)`,
    [made],
  );
}

/** Documents of one customer, uploaded at these moments, in one statement; there are no files to them. */
export async function insertDocuments(db: pg.Pool, customerId: number, made: Date[]): Promise<void> {
  await db.query(
    `insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
     select $2, name, name, 'text/plain', 1, '', name, made
     from (select made, gen_random_uuid() || '.txt' as name from unnest($1::timestamptz[]) as made) as t`,
    [made, customerId],
  );
}

/** So many more, newer than all there are: for what is older the way becomes a far one. */
export async function insertNewest(pool: pg.Pool, noun: Noun, records: number): Promise<void> {
  const { rows } = await pool.query(
    `select greatest(max(${madeAt[noun]}), $1) as newest, (select min(id) from customers) as customer from ${noun}`,
    [secondsIn(100_000)],
  );
  const { newest, customer } = rows[0];
  const made = Array.from(
    { length: records },
    (_, place) => new Date(newest.getTime() + 1000 * Math.ceil((place + 1) / 3)),
  );
  await (noun === 'customers' ? insertCustomers(pool, made) : insertDocuments(pool, customer, made));
}

/** As markPages does it, with marks as near to each other as the test wants them. */
export async function addMarks(
  pool: pg.Pool,
  noun: Noun,
  eachAfter: number,
  atMost = 10_000,
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`lock table ${noun} in share mode`);
    const { rows } = await client.query('select add_page_marks($1, $2, $3, $4) as added', [
      noun,
      madeAt[noun],
      eachAfter,
      atMost,
    ]);
    await client.query('commit');
    return rows[0].added;
  } finally {
    client.release();
  }
}

export async function countMarks(pool: pg.Pool, noun: Noun): Promise<number> {
  const { rows } = await pool.query('select count(*) as marks from page_marks where noun = $1', [noun]);
  return rows[0].marks;
}

/** Each mark counts the records up to and with it, from the mark before it on. */
export async function expectRightMarks(pool: pg.Pool, noun: Noun): Promise<void> {
  const { rows } = await pool.query(
    `with placed as (
       select ${madeAt[noun]} as made_at, id, null::int as records, 0 as is_mark from ${noun}
       union all select made_at, id, records, 1 from page_marks where noun = $1
     ), counted as (
       select *, sum(1 - is_mark) over (order by made_at, id, is_mark) as up_to_it from placed
     ), marks as (
       select *, up_to_it - lag(up_to_it, 1, 0::bigint) over (order by made_at, id) as counted
       from counted where is_mark = 1
     )
     select made_at, id, records, counted from marks where records <> counted`,
    [noun],
  );
  expect(rows).toEqual([]);
}

/** All ids as the list shows them. */
export async function newestFirst(pool: pg.Pool, noun: Noun): Promise<number[]> {
  const { rows } = await pool.query(`select id from ${noun} order by ${madeAt[noun]} desc, id desc`);
  return rows.map((row: { id: number }) => row.id);
}
