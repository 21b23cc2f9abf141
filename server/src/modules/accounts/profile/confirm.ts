import type { ConfirmInput } from '@customer-database/contract/auth';
import { inTransaction, type SignedInContext } from '../../../core/context.ts';
import type { Site } from '../../../http/origin.ts';
import { recordActivity } from '../../activity/commands.ts';
import { requireMfaCode } from '../mfa/commands.ts';
import { requirePasskey } from '../passkeys/confirm.ts';
import { requirePassword } from '../passwords/commands.ts';
import { markConfirmed, markSecondFactor } from '../sessions/repo.ts';
import { subjectOf } from '../user.ts';

/** Throws unless the proof is right. Returns its kind. */
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

/** Allows this session sensitive changes for 15 minutes; to second factors only after a code or a passkey. */
export async function confirmSession(ctx: SignedInContext, site: Site, input: ConfirmInput): Promise<void> {
  const { sessionId, user } = ctx.signedIn;
  const factor = await verifyProof(ctx, site, input);
  await inTransaction(ctx, async (tx) => {
    await markConfirmed(tx.db, sessionId, ctx.deps.clock.now());
    if (factor !== 'password') await markSecondFactor(tx.db, sessionId);
    await recordActivity(tx, 'session.confirmed', subjectOf(user), { factor });
  });
}
