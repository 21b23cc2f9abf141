import { limits } from '@customer-database/contract/limits';
import type { Context } from '../../../core/context.ts';
import { open } from '../../../crypto/secretbox.ts';
import { fingerprint, normalizeCode, randomLegibleCode } from '../../../crypto/tokens.ts';
import { matchTotpStep } from '../../../crypto/totp.ts';
import { hasSignedInFrom } from '../sessions/known-networks.ts';
import { type Attempt, codeAttempts } from '../throttle/throttle.ts';
import * as repo from './repo.ts';

export const mfaSealPurpose = (userId: number) => `mfa:${userId}`;

/** Wrong codes from other networks do not throttle users in a network from which they signed in before. */
export async function mfaAttempts(ctx: Context, userId: number): Promise<Attempt[]> {
  return codeAttempts(ctx, userId, await hasSignedInFrom(ctx, userId));
}

type MfaUser = { id: number; mfa_secret: Buffer | null };

/**
 * Consumes a code from the app or a recovery code. Of concurrent requests with the same code, the database lets exactly
 * one succeed.
 */
export async function consumeMfaCode(ctx: Context, user: MfaUser, code: string): Promise<boolean> {
  if (!user.mfa_secret) return false;
  const compact = normalizeCode(code);
  return /^\d{6}$/.test(compact)
    ? consumeTotp(ctx, { id: user.id, mfa_secret: user.mfa_secret }, compact)
    : repo.consumeRecoveryCode(ctx.db, user.id, hashRecoveryCode(ctx, compact), ctx.deps.clock.now());
}

async function consumeTotp(
  ctx: Context,
  user: { id: number; mfa_secret: Buffer },
  code: string,
): Promise<boolean> {
  const secret = open(ctx.deps.keys.secretbox, mfaSealPurpose(user.id), user.mfa_secret);
  const step = matchTotpStep(secret, code, ctx.deps.clock.now());
  return step !== undefined && repo.consumeTotpStep(ctx.db, user, step);
}

function hashRecoveryCode(ctx: Context, code: string): Buffer {
  return fingerprint(ctx.deps.keys.fingerprints, `recovery:${normalizeCode(code)}`);
}

/** Replaces the recovery codes of the user. The server shows the codes once and stores only their hashes. */
export async function issueRecoveryCodes(ctx: Context, userId: number): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, () => randomLegibleCode(3));
  await repo.deleteRecoveryCodes(ctx.db, userId);
  const hashes = codes.map((code) => hashRecoveryCode(ctx, code));
  await repo.insertRecoveryCodes(ctx.db, userId, hashes);
  return codes;
}
