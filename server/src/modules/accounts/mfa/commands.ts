import type { MfaDisableInput, MfaSetupResponse } from '@customer-database/contract/auth';
import { toDataURL } from 'qrcode';
import { inTransaction, type SignedInContext } from '../../../core/context.ts';
import { open, seal } from '../../../crypto/secretbox.ts';
import { matchTotpStep, newTotpSecret, otpauthUrl } from '../../../crypto/totp.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { requireRecentConfirmation } from '../access-rules.ts';
import { enqueueNotice } from '../notices/notice.ts';
import { requirePassword } from '../passwords/commands.ts';
import { findUserById, lockExistingUser, type UserRow, updateUser } from '../repo.ts';
import { endSessions, markSecondFactor } from '../sessions/repo.ts';
import { forgiveAttempts, reserveAttempts } from '../throttle/throttle.ts';
import { subjectOf } from '../user.ts';
import { consumeMfaCode, issueRecoveryCodes, mfaAttempts, mfaSealPurpose } from './codes.ts';
import * as repo from './repo.ts';

const alreadyEnabled = () => new AppError('MFA_ALREADY_ENABLED', 'MFA is already enabled for your account');

/**
 * For every change to the second factors of an account: a session opened with the password alone must first pass one of
 * the existing factors. Commands call this in their transaction after they have locked the user, because another
 * session may add the first factor meanwhile.
 */
export async function requireExistingFactor({ db, signedIn }: SignedInContext): Promise<void> {
  if (signedIn.hasSecondFactor || !(await repo.hasFactor(db, signedIn.user.id))) return;
  throw new AppError('SECOND_FACTOR_REQUIRED', 'Please confirm with a passkey or an MFA code first');
}

async function refuseCode(ctx: SignedInContext): Promise<never> {
  await recordActivity(ctx, 'credential.refused', subjectOf(ctx.signedIn.user), { factor: 'mfa' });
  throw new AppError('INVALID_MFA_CODE', 'Invalid MFA code', { fields: { code: 'Invalid MFA code' } });
}

/** The secret is pending until a code proves that the app has it. */
export async function startMfaSetup(ctx: SignedInContext): Promise<MfaSetupResponse> {
  const { user } = ctx.signedIn;
  if (user.mfa_enabled) throw alreadyEnabled();
  await requireExistingFactor(ctx);
  requireRecentConfirmation(ctx);
  const secret = newTotpSecret();
  const sealed = seal(ctx.deps.keys.secretbox, mfaSealPurpose(user.id), secret);
  if (!(await repo.savePendingSecret(ctx.db, user.id, sealed))) throw alreadyEnabled();
  const otpauth_url = otpauthUrl(secret, user.email);
  return { secret, otpauth_url, qr_code: await toDataURL(otpauth_url) };
}

export async function verifyMfaSetup(ctx: SignedInContext, code: string): Promise<string[]> {
  const user = await findUserById(ctx.db, ctx.signedIn.user.id);
  if (user?.mfa_secret) throw alreadyEnabled();
  if (!user?.mfa_pending_secret) {
    throw new AppError('MFA_SETUP_NOT_STARTED', 'Start the MFA setup first');
  }
  requireRecentConfirmation(ctx);
  const pending = user.mfa_pending_secret;
  const attempts = await mfaAttempts(ctx, user.id);
  await reserveAttempts(ctx, attempts);
  const secret = open(ctx.deps.keys.secretbox, mfaSealPurpose(user.id), pending);
  const now = ctx.deps.clock.now();
  const step = matchTotpStep(secret, code.replace(/\s/g, ''), now);
  if (step === undefined) return refuseCode(ctx);
  await forgiveAttempts(ctx, attempts);
  return inTransaction(ctx, async (tx) => {
    const account = await lockExistingUser(tx.db, user.id);
    if (account.mfa_secret) throw alreadyEnabled();
    await requireExistingFactor(tx);
    if (!(await repo.activateSecret(tx.db, user.id, pending, { step, now }))) throw alreadyEnabled();
    const codes = await issueRecoveryCodes(tx, user.id);
    await endSessions(tx.db, user.id, now, tx.signedIn.sessionId);
    await markSecondFactor(tx.db, tx.signedIn.sessionId);
    await enqueueNotice(tx, user, 'mfa');
    await recordActivity(tx, 'mfa.enabled', subjectOf(user));
    return codes;
  });
}

export async function requireMfaCode(ctx: SignedInContext, code: string): Promise<UserRow> {
  const attempts = await mfaAttempts(ctx, ctx.signedIn.user.id);
  await reserveAttempts(ctx, attempts);
  const user = await findUserById(ctx.db, ctx.signedIn.user.id);
  if (!user || !(await consumeMfaCode(ctx, user, code))) return refuseCode(ctx);
  await forgiveAttempts(ctx, attempts);
  return user;
}

export async function disableMfa(ctx: SignedInContext, input: MfaDisableInput): Promise<void> {
  if (!ctx.signedIn.user.mfa_enabled)
    throw new AppError('MFA_NOT_ENABLED', 'MFA is not enabled for your account');
  await requireExistingFactor(ctx);
  await requirePassword(ctx, input.password, 'password');
  const user = await requireMfaCode(ctx, input.code);
  await inTransaction(ctx, async (tx) => {
    await updateUser(tx.db, user.id, { mfa_secret: null, updated_at: ctx.deps.clock.now() });
    await repo.deleteRecoveryCodes(tx.db, user.id);
    await recordActivity(tx, 'mfa.disabled', subjectOf(user));
  });
}
