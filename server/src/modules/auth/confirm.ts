import type { ConfirmInput } from '@customer-database/contract/auth';
import { inTransaction, type SignedInContext } from '../../core/context.ts';
import { recordActivity } from '../activity/commands.ts';
import { subjectOf } from '../identity/commands.ts';
import { noteConfirmed } from '../identity/repo.ts';
import { proveMfaCode } from './mfa.ts';
import { provePassword } from './password.ts';

/** As a sign-in does: sensitive changes are open again to this session for a while. */
export async function confirmSession(ctx: SignedInContext, input: ConfirmInput): Promise<void> {
  const { sessionId, user } = ctx.signedIn;
  if (input.password !== undefined) await provePassword(ctx, input.password, 'password');
  else await proveMfaCode(ctx, input.code ?? '');
  await inTransaction(ctx, async (tx) => {
    await noteConfirmed(tx.db, sessionId, ctx.deps.clock.now());
    const factor = input.password === undefined ? 'mfa' : 'password';
    await recordActivity(tx, 'session.confirmed', subjectOf(user), { factor });
  });
}
