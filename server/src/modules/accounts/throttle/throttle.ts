import type { Context } from '../../../core/context.ts';
import { fingerprint } from '../../../crypto/tokens.ts';
import { AppError } from '../../../http/errors.ts';
import { networkOf } from '../../../http/network.ts';
import * as repo from './repo.ts';

/** After `freeFailures` failures each further one doubles the wait, up to `maxSeconds`. */
type Policy = { freeFailures: number; maxSeconds: number };

const policies = {
  // One caller and one account: a user who mistypes, or a machine that guesses a password.
  pair: { freeFailures: 5, maxSeconds: 900 },
  // All callers of one account, such as many machines that guess its password. A short wait, so that they cannot lock
  // the user out.
  account: { freeFailures: 20, maxSeconds: 60 },
  // One network and all accounts. The users of an office may share one IP address. The waits allow less than 60
  // attempts an hour, so that the activity log grows by less than a row a minute.
  address: { freeFailures: 45, maxSeconds: 900 },
} satisfies Record<string, Policy>;

/** The count starts anew after this time without a failure. */
export const failureTtlMs = 3_600_000;

export type Attempt = { kind: keyof typeof policies; key: string };

const emailKey = (ctx: Context, email: string) =>
  fingerprint(ctx.deps.keys.fingerprints, email).toString('base64url');

// Always reserved first, so that a throttled network adds no rows for the accounts that it tries.
export const ipAddressAttempt = (ctx: Context): Attempt => ({
  kind: 'address',
  key: `address:${networkOf(ctx.address)}`,
});

/** The counts of the caller for all accounts and for this one. `email` must be validated and normalized. */
export function callerAttempts(ctx: Context, email: string): Attempt[] {
  const key = `pair:${emailKey(ctx, email)}:${networkOf(ctx.address)}`;
  return [ipAddressAttempt(ctx), { kind: 'pair', key }];
}

/** The count of all callers for the account, whether it exists or not. */
export function accountAttempt(ctx: Context, email: string): Attempt {
  return { kind: 'account', key: `account:${emailKey(ctx, email)}` };
}

/** The counts for the password of a signed-in user. */
export function passwordAttempts(ctx: Context, userId: number): Attempt[] {
  return [ipAddressAttempt(ctx), { kind: 'pair', key: `password:${userId}` }];
}

/** The counts for an MFA code: one for each known network, and one for all others together. */
export function codeAttempts(ctx: Context, userId: number, isKnownNetwork: boolean): Attempt[] {
  const key = isKnownNetwork ? `mfa:${userId}:${networkOf(ctx.address)}` : `mfa:${userId}`;
  return [ipAddressAttempt(ctx), { kind: 'pair', key }];
}

export function setupAttempts(ctx: Context): Attempt[] {
  return [{ kind: 'pair', key: `setup:${networkOf(ctx.address)}` }];
}

/**
 * Counts the attempt as a failure in advance, so that concurrent attempts cannot exceed the limit together and no
 * rollback can undo the count. `forgiveAttempts` undoes it after a success.
 */
export async function reserveAttempts(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    const wait = await reserveAttempt(ctx, attempt);
    if (wait !== undefined) throw tooManyAttempts(ctx, attempt, wait);
  }
}

/** For requests that fail in any case: counts nothing. */
export async function refuseThrottled(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    const wait = await secondsLeft(ctx, attempt);
    if (wait !== undefined) throw tooManyAttempts(ctx, attempt, wait);
  }
}

/** Returns the seconds to wait if the attempt is throttled, and then counts nothing. */
export async function reserveAttempt(ctx: Context, attempt: Attempt): Promise<number | undefined> {
  // A throttled attempt costs one read, and holds no lock for which others would wait.
  const wait = await secondsLeft(ctx, attempt);
  if (wait !== undefined || (await count(ctx, attempt))) return wait;
  return (await secondsLeft(ctx, attempt)) ?? 1;
}

async function secondsLeft(ctx: Context, { key }: Attempt): Promise<number | undefined> {
  const now = ctx.deps.clock.now();
  const blockedUntil = await repo.findBlockedUntil(ctx.deps.db, key, now);
  return blockedUntil && Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000);
}

/** Outside of transactions, because the count must survive a failed request. */
function count(ctx: Context, { kind, key }: Attempt): Promise<boolean> {
  const now = ctx.deps.clock.now();
  const expiredBefore = new Date(now.getTime() - failureTtlMs);
  return repo.countFailure(ctx.deps.db, { key, now, expiredBefore, ...policies[kind] });
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
 * Clears the caller's count for this account. In counts shared with others, undoes only this attempt, so that other
 * callers do not learn that a sign-in succeeded.
 */
export async function forgiveAttempts(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const { kind, key } of attempts) {
    if (kind === 'pair') await repo.deleteFailures(ctx.deps.db, key);
    else await repo.undoFailure(ctx.deps.db, key);
  }
}

/** Ends every wait of an account. */
export async function unlockAccount(ctx: Context, user: { id: number; email: string }): Promise<void> {
  const account = emailKey(ctx, user.email);
  const keys = [`account:${account}`, `password:${user.id}`, `mfa:${user.id}`];
  await repo.deleteFailuresOf(ctx.db, keys, [`pair:${account}:`, `mfa:${user.id}:`]);
}
