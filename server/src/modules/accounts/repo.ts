/** The statements that several folders of this module use. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { hashToken } from '../../crypto/tokens.ts';
import type { Database } from '../../db/client.ts';
import type { Schema } from '../../db/schema.ts';

export type UserRow = Selectable<Schema['users']>;

/** Emails are stored in lower case, so that each belongs to one account. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

export function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', normalizeEmail(email)).executeTakeFirst();
}

export function findUserById(db: Database, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the user until the transaction ends. Undefined if the account was deleted, as a withdrawn invitation is. */
export function lockUser(db: Database, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Locks the user whose account is linked to this subject at an OIDC provider. */
export function lockLinkedUser(db: Database, issuer: string, subject: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('company_issuer', '=', issuer)
    .where('company_subject', '=', subject)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** For users who have signed in: their accounts are never deleted. */
export async function lockExistingUser(db: Database, id: number): Promise<UserRow> {
  const user = await lockUser(db, id);
  if (!user) throw new Error(`user ${id} is gone`);
  return user;
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

/** The columns that every request reads, by session or by API token. */
export const callerColumns = [
  'users.id',
  'users.name',
  'users.email',
  'users.phone_number',
  'users.role',
  'users.must_change_password',
  'users.link_generation',
] as const;
export const hasMfa = sql<boolean>`${sql.ref('users.mfa_secret')} is not null`.as('mfa_enabled');

/** Only for accounts that never signed in: no other row refers to them. */
export async function deleteUser(db: Database, id: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** Marks a value as used; false if it was used before. It must be unguessable, and useless once it has expired. */
export async function consumeOnce(db: Database, value: string, expiresAt: Date): Promise<boolean> {
  const used = await db
    .insertInto('used_challenges')
    .values({ challenge_hash: hashToken(value), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (used.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteExpiredUsedValues(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<', now).execute();
}
