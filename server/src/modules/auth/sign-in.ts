import type { LoginInput, MfaVerifyLoginInput } from '@customer-database/contract/auth';
import { type Context, inTransaction, type SignedInContext } from '../../core/context.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../crypto/passwords.ts';
import { hashToken, randomToken } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';
import { recordActivity } from '../activity/commands.ts';
import { createSession, subjectOf } from '../identity/commands.ts';
import { endSession, lockUser, normalizeEmail, type UserRow, updateUser } from '../identity/repo.ts';
import { findUserToSignIn } from './known-addresses.ts';
import { consumeMfaCode, mfaAttempts } from './mfa-codes.ts';
import { isStillPassword } from './password.ts';
import * as repo from './repo.ts';
import {
  type Attempt,
  accountAttempt,
  callerAttempts,
  forgiveAttempts,
  reserveAttempt,
  reserveAttempts,
  tooManyAttempts,
} from './throttle.ts';

const challengeLifetimeMs = 5 * 60_000;
const triesPerChallenge = 5;

export type Session = { kind: 'session'; token: string; user: UserRow };
export type MfaChallenge = { kind: 'mfa'; mfaToken: string };

/**
 * An unknown, a disabled and a wrongly proven account look the same from outside, and take the same work. That
 * holds for an account that is held up, too: its password is looked at only where its owner signed in before, but
 * the same is done, and unless it is right the same is said, for everybody else and for accounts that do not exist.
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
  const isProven = await verifyPassword(hash, input.password);
  const result =
    user && isProven && mayPass(ctx, user) ? await admit(ctx, user, attempts, input.password) : undefined;
  if (!result) {
    await recordFailure(ctx, user, email, 'password');
    if (wait !== undefined) throw tooManyAttempts(ctx, account, wait);
    throw new AppError('SIGN_IN_FAILED', 'Invalid email or password');
  }
  return result;
}

/** Lets in whoever proved the password, unless it was changed or they were disabled meanwhile. */
async function admit(
  ctx: Context,
  proven: UserRow,
  attempts: Attempt[],
  password: string,
): Promise<Session | MfaChallenge | undefined> {
  await forgiveAttempts(ctx, attempts);
  const newHash = needsRehash(proven.password_hash) ? await hashPassword(password) : undefined;
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, proven.id);
    if (!mayPass(tx, user)) return undefined;
    if (!(await isStillPassword(user, proven, password))) return undefined;
    if (newHash && user.password_hash === proven.password_hash)
      await updateUser(tx.db, user.id, { password_hash: newHash });
    if (user.mfa_secret) return { kind: 'mfa', mfaToken: await createChallenge(tx, user.id) };
    return openSession(tx, user);
  });
}

function mayPass(ctx: Context, user: UserRow): boolean {
  const isExpired = user.password_expires_at !== null && user.password_expires_at <= ctx.deps.clock.now();
  return user.disabled_at === null && !isExpired;
}

async function openSession(ctx: Context, user: UserRow): Promise<Session> {
  const token = await createSession(ctx, user.id);
  const actor = { id: user.id, label: user.name };
  await recordActivity({ ...ctx, actor }, 'sign_in.succeeded', subjectOf(user));
  return { kind: 'session', token, user };
}

async function recordFailure(
  ctx: Context,
  user: UserRow | undefined,
  email: string,
  factor: 'password' | 'mfa',
): Promise<void> {
  const subject = { type: 'user', id: user?.id ?? null, label: email } as const;
  await recordActivity(ctx, 'sign_in.failed', subject, { factor });
}

/** Opens nothing but the second step: it is no session, and never becomes one. */
async function createChallenge(ctx: Context, userId: number): Promise<string> {
  const token = randomToken();
  const expires_at = new Date(ctx.deps.clock.now().getTime() + challengeLifetimeMs);
  await repo.insertChallenge(ctx.db, { token_hash: hashToken(token), user_id: userId, expires_at });
  return token;
}

const challengeOver = () =>
  new AppError('MFA_SIGN_IN_EXPIRED', 'This sign-in has expired. Please sign in again.');

export async function verifyMfaSignIn(ctx: Context, input: MfaVerifyLoginInput): Promise<Session> {
  const challenge = hashToken(input.mfa_token);
  const user = await repo.findChallengedUser(ctx.db, challenge, ctx.deps.clock.now());
  if (!user || !mayPass(ctx, user)) throw challengeOver();
  const attempts = await mfaAttempts(ctx, user.id);
  await reserveAttempts(ctx, attempts);
  if (!(await repo.countChallengeTry(ctx.db, challenge, triesPerChallenge))) throw challengeOver();
  if (!(await consumeMfaCode(ctx, user, input.code))) {
    await recordFailure(ctx, user, user.email, 'mfa');
    throw new AppError('MFA_SIGN_IN_FAILED', 'Invalid MFA code');
  }
  await forgiveAttempts(ctx, attempts);
  return inTransaction(ctx, async (tx) => {
    // In the order in which a change of the password takes its locks.
    const current = await lockUser(tx.db, user.id);
    if (!(await repo.useChallenge(tx.db, challenge, tx.deps.clock.now()))) throw challengeOver();
    return openSession(tx, current);
  });
}

export async function signOut(ctx: SignedInContext): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await endSession(tx.db, tx.signedIn.sessionId, ctx.deps.clock.now());
    await recordActivity(tx, 'sign_out', subjectOf(tx.signedIn.user));
  });
}
