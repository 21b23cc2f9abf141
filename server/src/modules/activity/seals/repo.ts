import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { Schema } from '../../../db/schema.ts';
import type { SealFacts } from './proof.ts';

export type SealRow = Selectable<Schema['activity_seals']>;

/** The newest id that was given out, also to transactions that have not committed. */
export async function lastIssuedId(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence('activity', 'id')::regclass) as id`.execute(db);
  return rows[0]?.id ?? 0;
}

const writing = sql<{ transaction: string }>`
  select virtualtransaction as transaction from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
    and relation = 'activity'::regclass
    and database = (select oid from pg_database where datname = current_database())`;

/** The transactions that may have added a row, and have not ended. They hold this lock before they get an id. */
export async function findWriters(db: Database): Promise<string[]> {
  const { rows } = await writing.execute(db);
  return rows.map(({ transaction }) => transaction);
}

/** The newest row of an older version; 0 without any. */
export async function newestWithoutMac(db: Database): Promise<number> {
  const found = await db
    .selectFrom('activity')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('mac', 'is', null)
    .executeTakeFirst();
  return found?.id ?? 0;
}

export function findNewestSeal(db: Database): Promise<SealRow | undefined> {
  return db.selectFrom('activity_seals').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

export function insertSeal(db: Database, { removed, ...seal }: SealFacts, hash: Buffer): Promise<SealRow> {
  return db
    .insertInto('activity_seals')
    .values({ ...seal, removed: removed && JSON.stringify(removed), hash })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findNewestRemoval(db: Database): Promise<SealRow | undefined> {
  return db
    .selectFrom('activity_seals')
    .selectAll()
    .where('kind', '=', 'removal')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The seals that may go, oldest first: the first of all stays, and so does the newest. */
export function listRemovable(db: Database, limit: number): Promise<SealRow[]> {
  return db
    .selectFrom('activity_seals')
    .selectAll()
    .where('id', '>', 1)
    .where('id', '<', (eb) => eb.selectFrom('activity_seals').select((of) => of.fn.max('id').as('newest')))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** When the newest of the rows between two ids was written; undefined without any. */
export async function newestBetween(db: Database, after: number, through: number): Promise<Date | undefined> {
  const found = await db
    .selectFrom('activity')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('id', '>', after)
    .where('id', '<=', through)
    .executeTakeFirst();
  return found?.at ?? undefined;
}

/** In a transaction. The trigger of the table lets nobody else remove rows. */
export async function removeRows(db: Database, throughId: number, throughSeal: number): Promise<number> {
  await sql`select set_config('customer_database.removes_activity', 'on', true)`.execute(db);
  const removed = await db.deleteFrom('activity').where('id', '<=', throughId).executeTakeFirst();
  await db.deleteFrom('activity_seals').where('id', '>', 1).where('id', '<=', throughSeal).execute();
  await sql`select set_config('customer_database.removes_activity', 'off', true)`.execute(db);
  return Number(removed.numDeletedRows);
}

/** Those whose values are still there. */
export function listRowsOfCustomer(db: Database, customerId: number, limit: number): Promise<ActivityRow[]> {
  return db
    .selectFrom('activity')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('erased', 'is', null)
    .limit(limit)
    .execute();
}

export async function eraseValues(db: Database, id: number, erased: Buffer): Promise<void> {
  await db
    .updateTable('activity')
    .set({ erased, salt: null, subject_label: null, detail: null, changes: null })
    .where('id', '=', id)
    .execute();
}

/** Rows that are copies of one another: each row has a salt of its own. */
export async function findCopies(db: Database): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(id::float8 order by id) as ids from activity
    where salt is not null group by salt having count(*) > 1`.execute(db);
  return rows.map(({ ids }) => ids);
}

/** The next seals, oldest first. */
export function listSeals(db: Database, after: number, limit: number): Promise<SealRow[]> {
  return db
    .selectFrom('activity_seals')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The next rows in the order of their ids, whole. */
export function listRows(db: Database, after: number, through: number, limit: number) {
  return db
    .selectFrom('activity')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', through)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export type ActivityRow = Awaited<ReturnType<typeof listRows>>[number];
