import type { Context, SignedIn, SignedInContext } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { hashToken, randomToken } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';
import { recordActivity, type Subject } from '../activity/commands.ts';
import { deviceOf } from './device.ts';
import * as repo from './repo.ts';

// Recording every request would make a write of every read; the idle limit is never this short.
const lastSeenIntervalMs = 30_000;

const confirmationTtlMs = 15 * 60_000;

export const subjectOf = (user: { id: number; email: string }): Subject => ({
  type: 'user',
  id: user.id,
  label: user.email,
});

export type Proof = {
  hasSecondFactor?: boolean;
  /** When they last showed that it is them; now, unless somebody else asked them. */
  provenAt?: Date;
};

export async function createSession(
  ctx: Context,
  userId: number,
  { hasSecondFactor = false, provenAt }: Proof = {},
): Promise<string> {
  const token = randomToken();
  const now = ctx.deps.clock.now();
  await repo.insertSession(ctx.db, {
    token_hash: hashToken(token),
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    confirmed_at: provenAt && provenAt < now ? provenAt : now,
    has_second_factor: hasSecondFactor,
    expires_at: new Date(now.getTime() + ctx.deps.config.sessionMaxMs),
    address: ctx.address ?? '',
    device: deviceOf(ctx.userAgent),
    device_hash: ctx.deviceToken === undefined ? null : hashToken(ctx.deviceToken),
  });
  await repo.recordSignIn(ctx.db, userId, now);
  return token;
}

/** Sessions that were last used before have ended. */
export const idleSince = ({ clock, config }: Deps) => new Date(clock.now().getTime() - config.sessionIdleMs);

/** The current user of a token: sessions are never cached. */
export async function findSignedIn(deps: Deps, token: string): Promise<SignedIn | undefined> {
  const now = deps.clock.now();
  const values = { token_hash: hashToken(token), now, idle_since: idleSince(deps) };
  const [row] = await repo.selectSignedIn(deps.db, values);
  if (!row) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() > lastSeenIntervalMs)
    await repo.markSeen(deps.db, row.session_id, row.id, now);
  // Spelled out: this runs on every request, and an object rest costs more than all the fields.
  const { id, name, email, phone_number, role, must_change_password } = row;
  const mfa_enabled = Boolean(row.mfa_enabled);
  return {
    sessionId: row.session_id,
    confirmedAt: row.confirmed_at,
    hasSecondFactor: row.has_second_factor,
    linkGeneration: row.link_generation,
    user: { id, name, email, phone_number, role, must_change_password, mfa_enabled },
  };
}

/** In the transaction of the change with which the user asks for it. */
export async function revokeOwnTokens(ctx: SignedInContext): Promise<void> {
  for (const { id, name } of await repo.deleteTokensOf(ctx.db, ctx.signedIn.user.id))
    await recordActivity(ctx, 'token.revoked', { type: 'token', id, label: name });
}

/** For what users do to their own account in a safer way, on their profile. */
export function refuseOwnAccount(ctx: SignedInContext, id: number, text: string): void {
  if (ctx.signedIn.user.id === id) throw new AppError('OWN_ACCOUNT', text);
}

/** For changes that would turn a stolen session into a stolen account. */
export function requireConfirmed(ctx: SignedInContext): void {
  if (ctx.signedIn.token) throw new AppError('FORBIDDEN', 'API tokens cannot do this: sign in for it');
  if (ctx.deps.clock.now().getTime() - ctx.signedIn.confirmedAt.getTime() > confirmationTtlMs) {
    throw new AppError('CONFIRMATION_REQUIRED', 'Please confirm that it is you');
  }
}
