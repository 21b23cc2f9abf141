import type { ConfirmInput } from '@customer-database/contract/auth';
import { inTransaction, type SignedInContext } from '../../core/context.ts';
import { recordActivity } from '../activity/commands.ts';
import { subjectOf } from '../identity/commands.ts';
import { markConfirmed } from '../identity/repo.ts';
import { requireMfaCode } from './mfa.ts';
import { requirePassword } from './password.ts';

/** Allows sensitive changes in this session for a while, as a sign-in does. */
export async function confirmSession(ctx: SignedInContext, input: ConfirmInput): Promise<void> {
  const { sessionId, user } = ctx.signedIn;
  if (input.password !== undefined) await requirePassword(ctx, input.password, 'password');
  else await requireMfaCode(ctx, input.code ?? '');
  await inTransaction(ctx, async (tx) => {
    await markConfirmed(tx.db, sessionId, ctx.deps.clock.now());
    const factor = input.password === undefined ? 'mfa' : 'password';
    await recordActivity(tx, 'session.confirmed', subjectOf(user), { factor });
  });
}
