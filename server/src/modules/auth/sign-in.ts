import type { LoginInput, MfaVerifyLoginInput } from '@customer-database/contract/auth';
import { type Context, inTransaction, type SignedInContext } from '../../core/context.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../crypto/passwords.ts';
import { hashToken, randomToken } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';
import { recordActivity } from '../activity/commands.ts';
import { createSession, type Proof, subjectOf } from '../identity/commands.ts';
import { deviceOf } from '../identity/device.ts';
import {
  endSession,
  lockExistingUser,
  lockUser,
  normalizeEmail,
  type UserRow,
  updateUser,
} from '../identity/repo.ts';
import { enqueueNotice } from '../users/notice.ts';
import { findUserToSignIn, isNewDevice } from './known-addresses.ts';
import { consumeMfaCode, mfaAttempts } from './mfa-codes.ts';
import { isStillCurrent } from './password.ts';
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

const challengeTtlMs = 5 * 60_000;
const maxChallengeAttempts = 5;

export type Session = { kind: 'session'; token: string; deviceToken: string; user: UserRow };
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

export const passwordsAreOff = ({ deps: { config } }: Context) =>
  new AppError('PASSWORD_SIGN_IN_OFF', `Please sign in with ${config.companySignIn?.name}`);

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

export function maySignIn(ctx: Context, user: UserRow): boolean {
  const isExpired = user.password_expires_at !== null && user.password_expires_at <= ctx.deps.clock.now();
  return user.disabled_at === null && !isExpired;
}

export async function openSession(
  ctx: Context,
  user: UserRow,
  proof: Proof,
  detail?: { factor: string },
): Promise<Session> {
  if (await isNewDevice(ctx, user.id)) {
    const facts = { Device: deviceOf(ctx.userAgent) ?? 'unknown', Address: ctx.address ?? 'unknown' };
    await enqueueNotice(ctx, user, 'device', facts);
  }
  const deviceToken = ctx.deviceToken ?? randomToken();
  const token = await createSession({ ...ctx, deviceToken }, user.id, proof);
  const actor = { id: user.id, label: user.name };
  await recordActivity({ ...ctx, actor }, 'sign_in.succeeded', subjectOf(user), detail);
  return { kind: 'session', token, deviceToken, user };
}

export async function recordFailure(
  ctx: Context,
  user: UserRow | undefined,
  email: string,
  factor: 'password' | 'mfa' | 'passkey' | 'company',
): Promise<void> {
  const subject = { type: 'user', id: user?.id ?? null, label: email } as const;
  await recordActivity(ctx, 'sign_in.failed', subject, { factor });
}

/** Good for the second step only: it is not a session and never becomes one. */
async function createChallenge(ctx: Context, userId: number): Promise<string> {
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
    // In the same lock order as a password change.
    const current = await lockExistingUser(tx.db, user.id);
    if (!(await repo.consumeChallenge(tx.db, challenge, tx.deps.clock.now()))) throw challengeExpired();
    return openSession(tx, current, { hasSecondFactor: true });
  });
}

export async function signOut(ctx: SignedInContext): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await endSession(tx.db, tx.signedIn.sessionId, ctx.deps.clock.now());
    await recordActivity(tx, 'sign_out', subjectOf(tx.signedIn.user));
  });
}
