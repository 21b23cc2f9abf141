/** Accounts and sessions. Other modules use these rows too, so this is the one repo that they may import. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce } from '../../db/compiled.ts';
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

/** Locks the user until the transaction ends; undefined when an invitation was withdrawn meanwhile. */
export function lockUser(db: Database, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** For users who have signed in: such an account is never removed. */
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

export async function insertSession(db: Database, values: Insertable<Schema['sessions']>): Promise<void> {
  await db.insertInto('sessions').values(values).execute();
}

export async function recordSignIn(db: Database, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_sign_in_at: now, last_seen_at: now })
    .where('id', '=', userId)
    .execute();
}

/** What every request needs to know of its user; once more for API tokens. */
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

/** The user of a token, unless the session has ended or was last used before `idle_since`. */
export const selectSignedIn = compiledOnce(
  (db, values: { token_hash: Buffer; now: Date; idle_since: Date }) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([
        'sessions.id as session_id',
        'sessions.last_seen_at',
        'sessions.confirmed_at',
        'sessions.has_second_factor',
        ...callerColumns,
      ])
      .select(hasMfa)
      .where('sessions.token_hash', '=', values.token_hash)
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', values.now)
      .where('sessions.last_seen_at', '>', values.idle_since)
      .where('users.disabled_at', 'is', null),
);

export async function markSeen(db: Database, sessionId: number, userId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute();
  await db.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute();
}

export async function markConfirmed(db: Database, sessionId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', sessionId).execute();
}

/** The sessions of a user that still work, the one used last first. */
export function listSessions(db: Database, userId: number, now: Date, idleSince: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'address', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function markSecondFactor(db: Database, sessionId: number): Promise<void> {
  await db.updateTable('sessions').set({ has_second_factor: true }).where('id', '=', sessionId).execute();
}

export async function endSession(db: Database, sessionId: number, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends the sessions of a user, except the one given, and every sign-in that waits for a code. */
export async function endSessions(db: Database, userId: number, now: Date, except?: number): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute();
  await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 0))
    .execute();
}

export function deleteTokensOf(db: Database, userId: number): Promise<{ id: number; name: string }[]> {
  return db.deleteFrom('api_tokens').where('user_id', '=', userId).returning(['id', 'name']).execute();
}

/** Ends the sessions of a user and revokes their API tokens and document links for good. */
export async function endAllAccess(db: Database, userId: number, now: Date): Promise<void> {
  await endSessions(db, userId, now);
  await deleteTokensOf(db, userId);
  await db
    .updateTable('users')
    .set((eb) => ({ link_generation: eb('link_generation', '+', 1) }))
    .where('id', '=', userId)
    .execute();
}

/** Deletes sessions that started before then and have ended. */
export async function deletePastSessions(db: Database, before: Date, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('created_at', '<', before)
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('ended_at', 'is not', null)]))
    .execute();
}
