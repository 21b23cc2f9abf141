import { sql } from 'kysely';
import type { Context, SignedIn, SignedInContext } from '../../context.ts';
import { hashToken, randomToken } from '../../crypto/tokens.ts';
import { compiledOnce } from '../../db/compiled.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/network.ts';
import type { UserRow } from '../users/accounts.ts';

// Noting every request would be a write for every read; the idle limit is never this short.
const noteSeenEveryMs = 30_000;

export async function createSession(ctx: Context, userId: number): Promise<string> {
  const token = randomToken();
  const now = ctx.deps.clock.now();
  await ctx.db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      confirmed_at: now,
      expires_at: new Date(now.getTime() + ctx.deps.config.sessionMaxMs),
      address: ctx.address ?? '',
    })
    .execute();
  await ctx.db
    .updateTable('users')
    .set({ last_sign_in_at: now, last_seen_at: now })
    .where('id', '=', userId)
    .execute();
  return token;
}

const selectSignedIn = compiledOnce((db, values: { token_hash: Buffer; now: Date; idle_since: Date }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as session_id',
      'sessions.last_seen_at',
      'sessions.confirmed_at',
      'users.id',
      'users.name',
      'users.email',
      'users.phone_number',
      'users.role',
      'users.must_change_password',
      'users.link_generation',
    ])
    .select((eb) => eb('users.mfa_secret', 'is not', null).as('mfa_enabled'))
    .where('sessions.token_hash', '=', values.token_hash)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', values.now)
    .where('sessions.last_seen_at', '>', values.idle_since)
    .where('users.disabled_at', 'is', null),
);

/** Whoever holds this token, as things stand now: nothing about a session is cached. */
export async function findSignedIn(deps: Deps, token: string): Promise<SignedIn | undefined> {
  const now = deps.clock.now();
  const idle_since = new Date(now.getTime() - deps.config.sessionIdleMs);
  const [row] = await selectSignedIn(deps.db, { token_hash: hashToken(token), now, idle_since });
  if (!row) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() > noteSeenEveryMs)
    await noteSeen(deps, row.session_id, row.id, now);
  // Written out: this is for every request, and taking the rest of an object costs more than all the fields.
  const { id, name, email, phone_number, role, must_change_password } = row;
  const mfa_enabled = Boolean(row.mfa_enabled);
  return {
    sessionId: row.session_id,
    confirmedAt: row.confirmed_at,
    linkGeneration: row.link_generation,
    user: { id, name, email, phone_number, role, must_change_password, mfa_enabled },
  };
}

async function noteSeen(deps: Deps, sessionId: number, userId: number, now: Date): Promise<void> {
  await deps.db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute();
  await deps.db.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute();
}

const confirmationHoldsMs = 15 * 60_000;

/** For changes by which a stolen session would become a stolen account. */
export function requireConfirmed(ctx: SignedInContext): void {
  if (ctx.deps.clock.now().getTime() - ctx.signedIn.confirmedAt.getTime() > confirmationHoldsMs) {
    throw new AppError('CONFIRMATION_REQUIRED', 'Please confirm that it is you');
  }
}

export async function endSession(ctx: Context, sessionId: number): Promise<void> {
  await ctx.db
    .updateTable('sessions')
    .set({ ended_at: ctx.deps.clock.now() })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends every session of a user, or every one but the one given, and every sign-in that waits for a code. */
export async function endSessions(ctx: Context, userId: number, except?: number): Promise<void> {
  await ctx.db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute();
  await ctx.db
    .updateTable('sessions')
    .set({ ended_at: ctx.deps.clock.now() })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 0))
    .execute();
}

/** Ends every session of a user, and kills the links to documents that they were given, for good. */
export async function endAllAccess(ctx: Context, userId: number): Promise<void> {
  await endSessions(ctx, userId);
  await ctx.db
    .updateTable('users')
    .set((eb) => ({ link_generation: eb('link_generation', '+', 1) }))
    .where('id', '=', userId)
    .execute();
}

/** How long the addresses that a user signed in from are remembered. */
export const rememberSessionsMs = 30 * 24 * 3_600_000;

/** The addresses that a user signed in from; where an address changes by itself its network counts. */
const addressesOf = (ctx: Context, userId: number | ReturnType<typeof sql.ref<number>>) =>
  sql<string[]>`array(
    select distinct address from sessions
    where user_id = ${userId} and created_at > ${new Date(ctx.deps.clock.now().getTime() - rememberSessionsMs)})`;

const includesCaller = (ctx: Context, addresses: string[]) =>
  addresses.some((address) => networkOf(address) === networkOf(ctx.address));

export async function hasSignedInFrom(ctx: Context, userId: number): Promise<boolean> {
  const known = await sql<{ addresses: string[] }>`select ${addressesOf(ctx, userId)} as addresses`.execute(
    ctx.db,
  );
  return known.rows.some(({ addresses }) => includesCaller(ctx, addresses));
}

export type UserToSignIn = { user: UserRow | undefined; isKnownHere: boolean };

/** All that a sign-in has to know, in one statement, which is the same whether or not there is such a user. */
export async function findUserToSignIn(ctx: Context, email: string): Promise<UserToSignIn> {
  const found = await ctx.db
    .selectFrom('users')
    .selectAll()
    .select(addressesOf(ctx, sql.ref('users.id')).as('addresses'))
    .where('email', '=', email)
    .executeTakeFirst();
  return { user: found, isKnownHere: found !== undefined && includesCaller(ctx, found.addresses) };
}
