import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import { compiledOnce, type Parameter } from '../../../db/compiled.ts';
import type { Schema } from '../../../db/schema.ts';
import { callerColumns, hasMfa, type UserRow } from '../repo.ts';
import { deleteTokensOf } from '../tokens/repo.ts';

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

/** The user of a token, unless the session has ended or was last used before `idle_since`. */
export const selectSignedIn = compiledOnce(
  (db, value: Parameter<{ token_hash: Buffer; now: Date; idle_since: Date }>) =>
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
      .where('sessions.token_hash', '=', value('token_hash'))
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', value('now'))
      .where('sessions.last_seen_at', '>', value('idle_since'))
      .where('users.disabled_at', 'is', null),
);

export async function markSeen(db: Database, sessionId: number, userId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute();
  await db.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute();
}

export async function markConfirmed(db: Database, sessionId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', sessionId).execute();
}

/** The open sessions of a user, most recently used first. */
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

/** Ends the sessions of a user, except the given one, and every sign-in that awaits a code. */
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

/** Deletes sessions that were opened before `before` and have ended. */
export async function deletePastSessions(db: Database, before: Date, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('created_at', '<', before)
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('ended_at', 'is not', null)]))
    .execute();
}

const ipAddressesOf = (userId: RawBuilder<number> | number, since: Date) =>
  sql<string[]>`array(
    select distinct address from sessions
    where user_id = ${userId} and created_at > ${since})`;

export async function findIpAddresses(db: Database, userId: number, since: Date): Promise<string[]> {
  const statement = sql<{ ip_addresses: string[] }>`select ${ipAddressesOf(userId, since)} as ip_addresses`;
  const { rows } = await statement.execute(db);
  return rows.flatMap(({ ip_addresses }) => ip_addresses);
}

/** The devices with which a user signed in, and their IP addresses. */
export function findDevices(
  db: Database,
  userId: number,
  since: Date,
): Promise<{ device: string | null; device_hash: Buffer | null; address: string }[]> {
  return db
    .selectFrom('sessions')
    .select(['device', 'device_hash', 'address'])
    .distinct()
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .execute();
}

type UserWithIpAddresses = UserRow & { ip_addresses: string[] };

/** One statement, so that an unknown email takes as long as a known one. */
export function findUserWithIpAddresses(
  db: Database,
  email: string,
  since: Date,
): Promise<UserWithIpAddresses | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .select(ipAddressesOf(sql.ref('users.id'), since).as('ip_addresses'))
    .where('email', '=', email)
    .executeTakeFirst();
}
