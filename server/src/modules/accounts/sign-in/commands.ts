import type { LoginInput } from '@customer-database/contract/auth';
import { type Context, inTransaction, type SignedInContext } from '../../../core/context.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../../crypto/passwords.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { passwordSignInOff } from '../access-rules.ts';
import { createChallenge } from '../mfa/sign-in.ts';
import { isStillCurrent } from '../passwords/commands.ts';
import { lockUser, normalizeEmail, type UserRow, updateUser } from '../repo.ts';
import { findUserToSignIn } from '../sessions/known-networks.ts';
import { maySignIn, openSession, recordFailure, type Session } from '../sessions/open-session.ts';
import { endSession } from '../sessions/repo.ts';
import {
  accountAttempt,
  callerAttempts,
  forgiveAttempts,
  reserveAttempt,
  reserveAttempts,
  tooManyAttempts,
} from '../throttle/throttle.ts';
import { subjectOf } from '../user.ts';

export type MfaChallenge = { kind: 'mfa'; mfaToken: string };

/**
 * Signs in with email and password, or starts the second step of a sign-in with MFA.
 *
 * Two throttles apply. The throttle of the caller refuses at once. The throttle of the account counts failures from
 * everywhere, so it does not apply in networks from which the user signed in before: otherwise, others could lock the
 * user out.
 *
 * No response reveals whether an account exists, and neither does its time. Unknown and disabled accounts and wrong
 * passwords get the same error after the same statements and one hashed password.
 */
export async function signIn(ctx: Context, input: LoginInput): Promise<Session | MfaChallenge> {
  const email = normalizeEmail(input.email);
  const attempts = callerAttempts(ctx, email);
  await reserveAttempts(ctx, attempts);
  const account = accountAttempt(ctx, email);
  const accountWait = await reserveAttempt(ctx, account);
  if (accountWait === undefined) attempts.push(account);

  const { user, isKnownNetwork } = await findUserToSignIn(ctx, email);
  const comparesPassword = accountWait === undefined || isKnownNetwork;
  // Hashes the given password even without a stored hash.
  const isCorrect = await verifyPassword(comparesPassword ? user?.password_hash : undefined, input.password);
  if (user && isCorrect && maySignIn(ctx, user) && mayUsePassword(ctx, user)) {
    await forgiveAttempts(ctx, attempts);
    const result = await openSessionOrAskForCode(ctx, user, input.password);
    if (result) return result;
  }
  await recordFailure(ctx, user, email, 'password');
  throw accountWait === undefined ? wrongCredentials(ctx) : tooManyAttempts(ctx, account, accountWait);
}

/** Where password sign-in is off, only passwords that the operator has set open an account. */
function mayUsePassword({ deps: { config, clock } }: Context, { password_allowed_until }: UserRow): boolean {
  return config.passwordSignIn || (password_allowed_until !== null && password_allowed_until > clock.now());
}

const wrongCredentials = (ctx: Context) =>
  ctx.deps.config.passwordSignIn
    ? new AppError('SIGN_IN_FAILED', 'Invalid email or password')
    : passwordSignInOff(ctx);

/** Undefined if the password or the account has changed since the password was verified. */
async function openSessionOrAskForCode(
  ctx: Context,
  verified: UserRow,
  password: string,
): Promise<Session | MfaChallenge | undefined> {
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
