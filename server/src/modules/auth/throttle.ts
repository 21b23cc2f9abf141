import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { fingerprint } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';

/** After `free` failures each further one doubles the wait, up to `maxSeconds`. */
type Policy = { free: number; maxSeconds: number };

const policies = {
  // One person who mistypes, or one machine that guesses one account.
  pair: { free: 5, maxSeconds: 900 },
  // Many machines that guess one account. The wait stays short: nobody may be locked out for long.
  account: { free: 20, maxSeconds: 60 },
  // One machine that guesses many accounts; an office may share one address.
  address: { free: 50, maxSeconds: 900 },
} satisfies Record<string, Policy>;

const forgetAfterMs = 3_600_000;

// Not 'now': of two tries at the same moment the one that began first may be counted last.
const notBlocked = new Date(0);

export type Attempt = { kind: keyof typeof policies; key: string };

/** IPv6 callers own at least a /64, so that is what counts as one address. */
export function addressKey(address: string | null): string {
  // A server that listens on both protocols sees IPv4 callers in IPv6 notation.
  const plain = (address ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = plain.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')]
    .slice(0, 4)
    .join(':');
}

const emailKey = (ctx: Context, email: string) =>
  fingerprint(ctx.deps.keys.fingerprints, email).toString('base64url');

/** The keys of a try to sign in; `email` must be checked and normalized. */
export function signInAttempts(ctx: Context, email: string, isKnownAddress: boolean): Attempt[] {
  const account = emailKey(ctx, email);
  const address = addressKey(ctx.address);
  const attempts: Attempt[] = [
    { kind: 'pair', key: `pair:${account}:${address}` },
    { kind: 'address', key: `address:${address}` },
  ];
  // Whoever signs in from where they always do is not held up by strangers elsewhere.
  if (!isKnownAddress) attempts.push({ kind: 'account', key: `account:${account}` });
  return attempts;
}

/** The keys of a try to prove the password of whoever is signed in. */
export function passwordAttempts(ctx: Context, userId: number): Attempt[] {
  return [
    { kind: 'pair', key: `password:${userId}` },
    { kind: 'address', key: `address:${addressKey(ctx.address)}` },
  ];
}

/** The keys of a try to prove a code: one for all strangers together, one for each address that is known. */
export function codeAttempts(ctx: Context, userId: number, isKnownAddress: boolean): Attempt[] {
  const address = addressKey(ctx.address);
  return [
    { kind: 'pair', key: isKnownAddress ? `mfa:${userId}:${address}` : `mfa:${userId}` },
    { kind: 'address', key: `address:${address}` },
  ];
}

export function setupAttempts(ctx: Context): Attempt[] {
  return [{ kind: 'pair', key: `setup:${addressKey(ctx.address)}` }];
}

/**
 * Counts the try as a failure before it is made, so that tries at the same moment cannot slip
 * through together, and so that no rollback can undo it. A success takes it back.
 */
export async function reserveAttempts(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) await reserve(ctx, attempt);
}

async function reserve(ctx: Context, { kind, key }: Attempt): Promise<void> {
  const { free, maxSeconds } = policies[kind];
  const now = ctx.deps.clock.now();
  const forgotten = new Date(now.getTime() - forgetAfterMs);
  // Outside of any transaction: the count must survive whatever becomes of the request.
  const counted = await sql`
    insert into throttles as kept (key, failures, last_failure_at, blocked_until)
    values (${key}, 1, ${now}, ${notBlocked})
    on conflict (key) do update set
      failures = case when kept.last_failure_at < ${forgotten} then 1 else kept.failures + 1 end,
      last_failure_at = ${now},
      blocked_until = case
        when kept.last_failure_at < ${forgotten} or kept.failures < ${free}
          then ${notBlocked}::timestamptz
        else ${now}::timestamptz
          + make_interval(secs => least(${maxSeconds}::numeric, 2::numeric ^ least(kept.failures - ${free}, 20)))
      end
    where kept.blocked_until <= ${now}
    returning failures`.execute(ctx.deps.db);
  if (counted.rows.length > 0) return;
  const row = await ctx.deps.db
    .selectFrom('throttles')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst();
  const seconds = row ? Math.max(1, Math.ceil((row.blocked_until.getTime() - now.getTime()) / 1000)) : 1;
  ctx.deps.metrics.throttled.inc({ kind });
  throw new AppError('TOO_MANY_ATTEMPTS', `Too many attempts. Please try again in ${waitText(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** A success clears what was held against the account, but only its own try against the address. */
export async function forgiveAttempts(ctx: Context, attempts: Attempt[]): Promise<void> {
  for (const { kind, key } of attempts) {
    if (kind === 'address') {
      await ctx.deps.db
        .updateTable('throttles')
        .set((eb) => ({
          failures: eb.fn('greatest', [eb('failures', '-', 1), eb.val(0)]),
          blocked_until: notBlocked,
        }))
        .where('key', '=', key)
        .execute();
    } else {
      await ctx.deps.db.deleteFrom('throttles').where('key', '=', key).execute();
    }
  }
}

/** Lifts every wait that holds up one account. */
export async function unlockAccount(ctx: Context, user: { id: number; email: string }): Promise<void> {
  const account = emailKey(ctx, user.email);
  await ctx.db
    .deleteFrom('throttles')
    .where((eb) =>
      eb.or([
        eb('key', 'in', [`account:${account}`, `password:${user.id}`, `mfa:${user.id}`]),
        eb(eb.fn('starts_with', ['key', eb.val(`pair:${account}:`)]), '=', true),
        eb(eb.fn('starts_with', ['key', eb.val(`mfa:${user.id}:`)]), '=', true),
      ]),
    )
    .execute();
}
