import type { LoginInput } from '@customer-database/contract/auth';
import { type Context, inTransaction, type SignedInContext } from '../../../core/context.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../../crypto/passwords.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { passwordsAreOff } from '../errors.ts';
import { createChallenge } from '../mfa/sign-in.ts';
import { isStillCurrent } from '../passwords/commands.ts';
import { lockUser, normalizeEmail, type UserRow, updateUser } from '../repo.ts';
import { findUserToSignIn } from '../sessions/known-addresses.ts';
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
 * Unknown accounts, disabled accounts and wrong passwords look the same from outside and take the same work. A
 * throttled account, too: its password is checked only at addresses that its owner signed in from before, but
 * everybody else, and accounts that do not exist, get the same work and, unless it is right, the same answer.
 */
export async function signIn(ctx: Context, input: LoginInput): Promise<Session | MfaChallenge> {
  const email = normalizeEmail(input.email);
  const attempts = callerAttempts(ctx, email);
  await reserveAttempts(ctx, attempts);
  const account = accountAttempt(ctx, email);
  const wait = await reserveAttempt(ctx, account);
  if (wait === undefined) attempts.push(account);

  const { user, isKnownHere } = await findUserToSignIn(ctx, email);
  const hash = wait === undefined || isKnownHere ? user?.password_hash : undefined;
  const isCorrect = await verifyPassword(hash, input.password);
  const result =
    user && isCorrect && maySignIn(ctx, user) && mayUsePassword(ctx, user)
      ? await admit(ctx, user, attempts, input.password)
      : undefined;
  if (!result) {
    await recordFailure(ctx, user, email, 'password');
    if (wait !== undefined) throw tooManyAttempts(ctx, account, wait);
    throw passwordSignInFailed(ctx);
  }
  return result;
}

/** Where passwords are off, only one from the operator of the machine opens an account. */
function mayUsePassword({ deps: { config, clock } }: Context, { password_allowed_until }: UserRow): boolean {
  return config.passwordSignIn || (password_allowed_until !== null && password_allowed_until > clock.now());
}

/** The same for every reason. */
const passwordSignInFailed = (ctx: Context) =>
  ctx.deps.config.passwordSignIn
    ? new AppError('SIGN_IN_FAILED', 'Invalid email or password')
    : passwordsAreOff(ctx);

/** Signs in after the password check, unless it was changed or the user disabled meanwhile. */
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
