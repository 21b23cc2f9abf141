import type { Context, SignedIn, SignedInContext } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { hashToken, randomToken } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';
import type { Subject } from '../activity/commands.ts';
import * as repo from './repo.ts';

// Noting every request would be a write for every read; the idle limit is never this short.
const noteSeenEveryMs = 30_000;

const confirmationHoldsMs = 15 * 60_000;

export const subjectOf = (user: { id: number; email: string }): Subject => ({
  type: 'user',
  id: user.id,
  label: user.email,
});

export async function createSession(ctx: Context, userId: number): Promise<string> {
  const token = randomToken();
  const now = ctx.deps.clock.now();
  await repo.insertSession(ctx.db, {
    token_hash: hashToken(token),
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    confirmed_at: now,
    expires_at: new Date(now.getTime() + ctx.deps.config.sessionMaxMs),
    address: ctx.address ?? '',
  });
  await repo.noteSignIn(ctx.db, userId, now);
  return token;
}

/** Whoever holds this token, as things stand now: nothing about a session is cached. */
export async function findSignedIn(deps: Deps, token: string): Promise<SignedIn | undefined> {
  const now = deps.clock.now();
  const idle_since = new Date(now.getTime() - deps.config.sessionIdleMs);
  const [row] = await repo.selectSignedIn(deps.db, { token_hash: hashToken(token), now, idle_since });
  if (!row) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() > noteSeenEveryMs)
    await repo.noteSeen(deps.db, row.session_id, row.id, now);
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

/** For changes by which a stolen session would become a stolen account. */
export function requireConfirmed(ctx: SignedInContext): void {
  if (ctx.deps.clock.now().getTime() - ctx.signedIn.confirmedAt.getTime() > confirmationHoldsMs) {
    throw new AppError('CONFIRMATION_REQUIRED', 'Please confirm that it is you');
  }
}
