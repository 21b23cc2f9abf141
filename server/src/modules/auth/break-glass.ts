import { type Context, inTransaction } from '../../core/context.ts';
import { hashPassword } from '../../crypto/passwords.ts';
import { randomLegibleCode } from '../../crypto/tokens.ts';
import { recordActivity } from '../activity/commands.ts';
import { subjectOf } from '../identity/commands.ts';
import { endAllAccess, endSessions, updateUser } from '../identity/repo.ts';
import { createAdmin, findUserToManage } from '../users/commands.ts';
import { deleteRecoveryCodes } from './repo.ts';
import { unlockAccount } from './throttle.ts';

const temporaryPasswordTtlMs = 7 * 24 * 3_600_000;

/** For the operator of the server, when nobody can sign in any more. */
export async function resetPassword(ctx: Context, email: string): Promise<string> {
  const password = randomLegibleCode(4);
  const password_hash = await hashPassword(password);
  const now = ctx.deps.clock.now();
  await inTransaction(ctx, async (tx) => {
    const user = await findUserToManage(tx, email);
    await updateUser(tx.db, user.id, {
      password_hash,
      password_expires_at: new Date(now.getTime() + temporaryPasswordTtlMs),
      must_change_password: true,
      updated_at: now,
    });
    await endAllAccess(tx.db, user.id, now);
    await unlockAccount(tx, user);
    await recordActivity(tx, 'password.reset', subjectOf(user));
  });
  return password;
}

export async function createAdminWithTemporaryPassword(
  ctx: Context,
  input: { email: string; name: string },
): Promise<string> {
  await createAdmin(ctx, { ...input, password: randomLegibleCode(4) }, false);
  return resetPassword(ctx, input.email);
}

export async function resetMfa(ctx: Context, email: string): Promise<void> {
  const now = ctx.deps.clock.now();
  await inTransaction(ctx, async (tx) => {
    const user = await findUserToManage(tx, email);
    await updateUser(tx.db, user.id, { mfa_secret: null, mfa_pending_secret: null, updated_at: now });
    await deleteRecoveryCodes(tx.db, user.id);
    await endSessions(tx.db, user.id, now);
    await recordActivity(tx, 'mfa.reset', subjectOf(user));
  });
}

export async function unlock(ctx: Context, email: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await findUserToManage(tx, email);
    await unlockAccount(tx, user);
    await recordActivity(tx, 'account.unlocked', subjectOf(user));
  });
}
