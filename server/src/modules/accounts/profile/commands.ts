import type { ProfileInput } from '@customer-database/contract/users';
import { inTransaction, type SignedInContext } from '../../../core/context.ts';
import { isUniqueViolation } from '../../../db/unavailable.ts';
import { changesBetween } from '../../activity/changes.ts';
import { recordChanges } from '../../activity/commands.ts';
import { requireRecentConfirmation } from '../access-rules.ts';
import { enqueueNotice } from '../notices/notice.ts';
import * as accounts from '../repo.ts';
import { endSessions } from '../sessions/repo.ts';
import { revokeOwnTokens } from '../tokens/commands.ts';
import { emailTaken, subjectOf } from '../user.ts';

export async function updateProfile(ctx: SignedInContext, input: ProfileInput): Promise<accounts.UserRow> {
  const { name, phone_number } = input;
  const changes = {
    ...(name !== undefined && { name }),
    ...(input.email !== undefined && { email: accounts.normalizeEmail(input.email) }),
    ...(phone_number !== undefined && { phone_number }),
  };
  const now = ctx.deps.clock.now();
  try {
    return await inTransaction(ctx, async (tx) => {
      const before = await accounts.lockExistingUser(tx.db, tx.signedIn.user.id);
      const isEmailChanged = changes.email !== undefined && changes.email !== before.email;
      if (isEmailChanged) requireRecentConfirmation(tx);
      const user = await accounts.updateUser(tx.db, before.id, {
        ...changes,
        ...(isEmailChanged && { chose_email: true }),
        updated_at: now,
      });
      if (isEmailChanged) {
        await endSessions(tx.db, user.id, now, tx.signedIn.sessionId);
        await enqueueNotice(tx, before, 'email');
      }
      const logged = changesBetween(before, user, ['name', 'email', 'phone_number']);
      await recordChanges(tx, 'user.updated', subjectOf(user), logged);
      if (input.revoke_tokens) await revokeOwnTokens(tx);
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
}
