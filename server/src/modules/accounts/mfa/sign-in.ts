import type { MfaVerifyLoginInput } from '@customer-database/contract/auth';
import { type Context, inTransaction } from '../../../core/context.ts';
import { hashToken, randomToken } from '../../../crypto/tokens.ts';
import { AppError } from '../../../http/errors.ts';
import { lockExistingUser } from '../repo.ts';
import { maySignIn, openSession, recordFailure, type Session } from '../sessions/open-session.ts';
import { forgiveAttempts, reserveAttempts } from '../throttle/throttle.ts';
import { consumeMfaCode, mfaAttempts } from './codes.ts';
import * as repo from './repo.ts';

const challengeTtlMs = 5 * 60_000;
const maxChallengeAttempts = 5;

/** The token is for the second step of the sign-in only; it is no session. */
export async function createChallenge(ctx: Context, userId: number): Promise<string> {
  const token = randomToken();
  const expires_at = new Date(ctx.deps.clock.now().getTime() + challengeTtlMs);
  await repo.insertChallenge(ctx.db, { token_hash: hashToken(token), user_id: userId, expires_at });
  return token;
}

const challengeExpired = () =>
  new AppError('MFA_SIGN_IN_EXPIRED', 'This sign-in has expired. Please sign in again.');

export async function verifyMfaSignIn(ctx: Context, input: MfaVerifyLoginInput): Promise<Session> {
  const challenge = hashToken(input.mfa_token);
  const user = await repo.findChallengedUser(ctx.db, challenge, ctx.deps.clock.now());
  if (!user || !maySignIn(ctx, user)) throw challengeExpired();
  const attempts = await mfaAttempts(ctx, user.id);
  await reserveAttempts(ctx, attempts);
  if (!(await repo.countChallengeAttempt(ctx.db, challenge, maxChallengeAttempts))) throw challengeExpired();
  if (!(await consumeMfaCode(ctx, user, input.code))) {
    await recordFailure(ctx, user, user.email, 'mfa');
    throw new AppError('MFA_SIGN_IN_FAILED', 'Invalid MFA code');
  }
  await forgiveAttempts(ctx, attempts);
  return inTransaction(ctx, async (tx) => {
    // A password change locks in the same order: the user, then the challenge.
    const current = await lockExistingUser(tx.db, user.id);
    if (!(await repo.consumeChallenge(tx.db, challenge, tx.deps.clock.now()))) throw challengeExpired();
    return openSession(tx, current, { hasSecondFactor: true });
  });
}
