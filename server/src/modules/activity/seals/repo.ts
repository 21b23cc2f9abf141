import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { Schema } from '../../../db/schema.ts';
import type { SealFacts } from './proof.ts';

export type SealRow = Selectable<Schema['activity_seals']>;

/** The last id that the sequence issued, perhaps to a transaction that has not committed. */
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

/** The open transactions that may add a row: they take this lock before they get an id. */
export async function findWriters(db: Database): Promise<string[]> {
  const { rows } = await writing.execute(db);
  return rows.map(({ transaction }) => transaction);
}

export function findNewestSeal(db: Database): Promise<SealRow | undefined> {
  return db.selectFrom('activity_seals').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

export function findSeal(db: Database, id: number): Promise<SealRow | undefined> {
  return db.selectFrom('activity_seals').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Undefined if another server has added a seal with this id. */
export function insertSeal(
  db: Database,
  { removed, ...seal }: SealFacts,
  hash: Buffer,
): Promise<SealRow | undefined> {
  return db
    .insertInto('activity_seals')
    .values({ ...seal, removed: removed && JSON.stringify(removed), hash })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function deleteSeals(db: Database): Promise<void> {
  await db.deleteFrom('activity_seals').execute();
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

/** Call it in a transaction: `set_config` lets it pass the trigger that refuses deletions. */
export async function removeRows(db: Database, throughId: number, throughSeal: number): Promise<number> {
  await sql`select set_config('customer_database.removes_activity', 'on', true)`.execute(db);
  const removed = await db
    .deleteFrom('activity')
    .where('id', '>', 0)
    .where('id', '<=', throughId)
    .executeTakeFirst();
  await db.deleteFrom('activity_seals').where('id', '>', 1).where('id', '<=', throughSeal).execute();
  await sql`select set_config('customer_database.removes_activity', 'off', true)`.execute(db);
  return Number(removed.numDeletedRows);
}

/** Rows whose values were not erased yet. */
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

/** Copied rows, of which at least one is newer than `through`. The salt makes the mac of each genuine row unique. */
export async function findCopies(db: Database, through: number): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(id::float8 order by id) as ids from activity
    group by mac having count(*) > 1 and max(id) > ${through}`.execute(db);
  return rows.map(({ ids }) => ids);
}

export type Counts = { rows: number; rowsOutOfRange: number; seals: number; sealsOutOfRange: number };

const isOutOfRange = sql`not id between 1 and ${sql.lit(Number.MAX_SAFE_INTEGER)}`;

/** PostgreSQL also counts rows whose ids are not safe integers of JavaScript. */
export async function countAll(db: Database): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select * from
      (select count(*) as rows, count(*) filter (where ${isOutOfRange}) as "rowsOutOfRange" from activity) as a,
      (select count(*) as seals, count(*) filter (where ${isOutOfRange}) as "sealsOutOfRange" from activity_seals) as s
    `.execute(db);
  return rows[0] ?? { rows: 0, rowsOutOfRange: 0, seals: 0, sealsOutOfRange: 0 };
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

/** The next rows in the order of their ids. */
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

/** In the order of their ids. */
export function listRowsById(db: Database, ids: number[]): Promise<ActivityRow[]> {
  return db
    .selectFrom('activity')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .execute();
}

export type ActivityRow = Awaited<ReturnType<typeof listRows>>[number];
