/** The rows of users. Sign-in works on the same rows, so both modules read and write them through here. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import type { Schema } from '../../db/schema.ts';

export type UserRow = Selectable<Schema['users']>;

/** Emails are stored in lower case, so that one address is one account. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

export function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', normalizeEmail(email)).executeTakeFirst();
}

export function findUserById(db: Database, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** One who is there: users are never removed. */
export function getUser(db: Database, id: number): Promise<UserRow> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The user as they are, and as they stay until the transaction ends. */
export function lockUser(db: Database, id: number): Promise<UserRow> {
  return db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export function insertUser(db: Database, values: Insertable<Schema['users']>): Promise<UserRow> {
  return db.insertInto('users').values(values).returningAll().executeTakeFirstOrThrow();
}

export function updateUser(db: Database, id: number, values: Updateable<Schema['users']>): Promise<UserRow> {
  return db.updateTable('users').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function listUsers(db: Database): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().orderBy('email').execute();
}

/** Locks every active admin, so that two removals at once cannot both see 'one is left'. */
export async function lockActiveAdminIds(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.id);
}
