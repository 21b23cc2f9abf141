import type { LoginInput } from '@customer-database/contract/auth';
import { type Context, inTransaction, type SignedInContext } from '../../../core/context.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../../crypto/passwords.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { passwordSignInOff } from '../errors.ts';
import { createChallenge } from '../mfa/sign-in.ts';
import { isStillCurrent } from '../passwords/commands.ts';
import { lockUser, normalizeEmail, type UserRow, updateUser } from '../repo.ts';
import { findUserToSignIn } from '../sessions/known-networks.ts';
import { maySignIn, openSession, recordFailure, type Session } from '../sessions/open-session.ts';
import { endSession } from '../sessions/repo.ts';
import { subjectOf } from '../subject.ts';
import {
  type Attempt,
  accountAttempt,
  callerAttempts,
  forgiveAttempts,
  reserveAttempt,
  reserveAttempts,
  tooManyAttempts,
} from '../throttle/throttle.ts';

export type MfaChallenge = { kind: 'mfa'; mfaToken: string };

/**
 * Neither the response nor its time reveals whether an account exists: unknown and disabled accounts and wrong
 * passwords get the same error after the same work, because `verifyPassword` hashes even without a hash to compare
 * with. Throttled accounts get another error, but again whether they exist or not. For these, the password is compared
 * only in networks from which the user signed in before.
 */
export async function signIn(ctx: Context, input: LoginInput): Promise<Session | MfaChallenge> {
  const email = normalizeEmail(input.email);
  const attempts = callerAttempts(ctx, email);
  await reserveAttempts(ctx, attempts);
  const account = accountAttempt(ctx, email);
  const accountWait = await reserveAttempt(ctx, account);
  const isThrottled = accountWait !== undefined;
  if (!isThrottled) attempts.push(account);

  const { user, isKnownNetwork } = await findUserToSignIn(ctx, email);
  const comparesPassword = !isThrottled || isKnownNetwork;
  const isCorrect = await verifyPassword(comparesPassword ? user?.password_hash : undefined, input.password);
  if (user && isCorrect && maySignIn(ctx, user) && mayUsePassword(ctx, user)) {
    const admitted = await admit(ctx, user, attempts, input.password);
    if (admitted) return admitted;
  }
  await recordFailure(ctx, user, email, 'password');
  throw isThrottled ? tooManyAttempts(ctx, account, accountWait) : passwordSignInFailed(ctx);
}

/** Where password sign-in is off, only passwords that the operator has set open an account. */
function mayUsePassword({ deps: { config, clock } }: Context, { password_allowed_until }: UserRow): boolean {
  return config.passwordSignIn || (password_allowed_until !== null && password_allowed_until > clock.now());
}

/** The same error for every reason. */
const passwordSignInFailed = (ctx: Context) =>
  ctx.deps.config.passwordSignIn
    ? new AppError('SIGN_IN_FAILED', 'Invalid email or password')
    : passwordSignInOff(ctx);

/** Opens the session or asks for the MFA code. Undefined if the password or the account changed meanwhile. */
async function admit(
  ctx: Context,
  verified: UserRow,
  attempts: Attempt[],
  password: string,
): Promise<Session | MfaChallenge | undefined> {
  await forgiveAttempts(ctx, attempts);
  const newHash = needsRehash(verified.password_hash) ? await hashPassword(password) : undefined;
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, verified.id);
    if (!user || !maySignIn(tx, user)) return undefined;
    if (!(await isStillCurrent(user, verified, password))) return undefined;
    if (newHash && user.password_hash === verified.password_hash)
      await updateUser(tx.db, user.id, { password_hash: newHash });
    if (user.mfa_secret) return { kind: 'mfa', mfaToken: await createChallenge(tx, user.id) };
    return openSession(tx, user, { hasSecondFactor: false });
  });
}

export async function signOut(ctx: SignedInContext): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await endSession(tx.db, tx.signedIn.sessionId, ctx.deps.clock.now());
    await recordActivity(tx, 'sign_out', subjectOf(tx.signedIn.user));
  });
}
