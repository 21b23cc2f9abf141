import type { Context } from '../../core/context.ts';
import { fingerprint } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/network.ts';
import * as repo from './throttle-repo.ts';

/** After `free` failures each further one doubles the wait, up to `maxSeconds`. */
type Policy = { free: number; maxSeconds: number };

const policies = {
  // One person who mistypes, or one machine that guesses one account.
  pair: { free: 5, maxSeconds: 900 },
  // Many machines that guess one account. The wait stays short: nobody may be locked out for long.
  account: { free: 20, maxSeconds: 60 },
  // One machine that guesses many accounts; an office may share one address. With the waits that follow these are
  // less than 60 tries an hour, so that the log grows by less than a row a minute.
  address: { free: 45, maxSeconds: 900 },
} satisfies Record<string, Policy>;

/** After so long without another one failures count no more. */
export const forgetAfterMs = 3_600_000;

export type Attempt = { kind: keyof typeof policies; key: string };

const emailKey = (ctx: Context, email: string) =>
  fingerprint(ctx.deps.keys.fingerprints, email).toString('base64url');

// Always the first of a try: an address that is held up leaves no rows for the accounts that it goes on trying.
const addressAttempt = (ctx: Context): Attempt => ({
  kind: 'address',
  key: `address:${networkOf(ctx.address)}`,
});

/** What the caller did before, to any account and to this one; `email` must be checked and normalized. */
export function callerAttempts(ctx: Context, email: string): Attempt[] {
  const key = `pair:${emailKey(ctx, email)}:${networkOf(ctx.address)}`;
  return [addressAttempt(ctx), { kind: 'pair', key }];
}

/** What anybody anywhere did to the account, whether there is one or not. */
export function accountAttempt(ctx: Context, email: string): Attempt {
  return { kind: 'account', key: `account:${emailKey(ctx, email)}` };
}

/** The keys of a try to prove the password of whoever is signed in. */
export function passwordAttempts(ctx: Context, userId: number): Attempt[] {
  return [addressAttempt(ctx), { kind: 'pair', key: `password:${userId}` }];
}

/** The keys of a try to prove a code: one for all strangers together, one for each address that is known. */
export function codeAttempts(ctx: Context, userId: number, isKnownAddress: boolean): Attempt[] {
  const key = isKnownAddress ? `mfa:${userId}:${networkOf(ctx.address)}` : `mfa:${userId}`;
  return [addressAttempt(ctx), { kind: 'pair', key }];
}

export function setupAttempts(ctx: Context): Attempt[] {
  return [{ kind: 'pair', key: `setup:${networkOf(ctx.address)}` }];
}

/**
 * Counts the try as a failure before it is made, so that tries at the same moment cannot slip
 * through together, and so that no rollback can undo it. A success takes it back.
 */
export async function reserveAttempts(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    const wait = await reserveAttempt(ctx, attempt);
    if (wait !== undefined) throw tooManyAttempts(ctx, attempt, wait);
  }
}

/** Answers how many seconds the try has to wait, if it is held up; it does not count then. */
export async function reserveAttempt(ctx: Context, attempt: Attempt): Promise<number | undefined> {
  // Who is held up and goes on trying costs one look: no write, and no lock that others would wait for.
  const wait = await secondsLeft(ctx, attempt);
  if (wait !== undefined || (await count(ctx, attempt))) return wait;
  return (await secondsLeft(ctx, attempt)) ?? 1;
}

async function secondsLeft(ctx: Context, { key }: Attempt): Promise<number | undefined> {
  const now = ctx.deps.clock.now();
  const blockedUntil = await repo.findBlockedUntil(ctx.deps.db, key, now);
  return blockedUntil && Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000);
}

/** Outside of any transaction: the count must survive whatever becomes of the request. */
function count(ctx: Context, { kind, key }: Attempt): Promise<boolean> {
  const now = ctx.deps.clock.now();
  const forgotten = new Date(now.getTime() - forgetAfterMs);
  return repo.countFailure(ctx.deps.db, { key, now, forgotten, ...policies[kind] });
}

export function tooManyAttempts(ctx: Context, { kind }: Attempt, seconds: number): AppError {
  ctx.deps.metrics.throttled.inc({ kind });
  return new AppError('TOO_MANY_ATTEMPTS', `Too many attempts. Please try again in ${waitText(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/**
 * A success clears what was held against the caller at this account. Where others have a share in the count it
 * takes back its own try alone: they must not learn from it that somebody signed in.
 */
export async function forgiveAttempts(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const { kind, key } of attempts) {
    if (kind === 'pair') await repo.deleteFailures(ctx.deps.db, key);
    else await repo.takeBackFailure(ctx.deps.db, key);
  }
}

/** Lifts every wait that holds up one account. */
export async function unlockAccount(ctx: Context, user: { id: number; email: string }): Promise<void> {
  const account = emailKey(ctx, user.email);
  const keys = [`account:${account}`, `password:${user.id}`, `mfa:${user.id}`];
  await repo.deleteFailuresOf(ctx.db, keys, [`pair:${account}:`, `mfa:${user.id}:`]);
}
