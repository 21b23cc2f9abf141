import type { ConfirmInput } from '@customer-database/contract/auth';
import { inTransaction, type SignedInContext } from '../../../core/context.ts';
import type { Site } from '../../../http/origin.ts';
import { recordActivity } from '../../activity/commands.ts';
import { requireMfaCode } from '../mfa/commands.ts';
import { requirePasskey } from '../passkeys/confirm.ts';
import { requirePassword } from '../passwords/commands.ts';
import { markConfirmed, markSecondFactor } from '../sessions/repo.ts';
import { subjectOf } from '../subject.ts';

/** Throws unless the proof is right; answers what kind it was. */
async function verifyProof(ctx: SignedInContext, site: Site, { password, code, passkey }: ConfirmInput) {
  if (passkey !== undefined) {
    await requirePasskey(ctx, site, passkey);
    return 'passkey';
  }
  if (password !== undefined) {
    await requirePassword(ctx, password, 'password');
    return 'password';
  }
  await requireMfaCode(ctx, code ?? '');
  return 'mfa';
}

/** Allows sensitive changes in this session for a while, as a sign-in does; the password alone none of the factors. */
export async function confirmSession(ctx: SignedInContext, site: Site, input: ConfirmInput): Promise<void> {
  const { sessionId, user } = ctx.signedIn;
  const factor = await verifyProof(ctx, site, input);
  await inTransaction(ctx, async (tx) => {
    await markConfirmed(tx.db, sessionId, ctx.deps.clock.now());
    if (factor !== 'password') await markSecondFactor(tx.db, sessionId);
    await recordActivity(tx, 'session.confirmed', subjectOf(user), { factor });
  });
}
