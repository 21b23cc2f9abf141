import type { Updateable } from 'kysely';
import { type Context, inTransaction } from '../../../core/context.ts';
import { randomLegibleCode } from '../../../crypto/tokens.ts';
import type { Schema } from '../../../db/schema.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { deleteRecoveryCodes } from '../mfa/repo.ts';
import { deletePasskeysOf } from '../passkeys/repo.ts';
import {
  type CredentialDelivery,
  deliverCredential,
  makeTemporaryPassword,
} from '../passwords/temporary-password.ts';
import { type UserRow, updateUser } from '../repo.ts';
import { endAllAccess } from '../sessions/repo.ts';
import { unlockAccount } from '../throttle/throttle.ts';
import { lockUserToManage, subjectOf } from '../user.ts';
import { requireAnotherAdmin } from './commands.ts';
import { createAdmin } from './create-admin.ts';

/** Replaces the password and ends all sessions. */
async function savePassword(
  ctx: Context,
  user: UserRow,
  columns: Updateable<Schema['users']>,
): Promise<void> {
  await updateUser(ctx.db, user.id, columns);
  await endAllAccess(ctx.db, user.id, ctx.deps.clock.now());
  await unlockAccount(ctx, user);
  await recordActivity(ctx, 'password.reset', subjectOf(user));
}

/** For the operator, who sees the password. It also opens the account where password sign-in is off. */
export async function resetPassword(ctx: Context, id: number): Promise<string> {
  const temporary = await makeTemporaryPassword(ctx);
  const columns = { ...temporary.columns, password_allowed_until: temporary.columns.password_expires_at };
  await inTransaction(ctx, async (tx) => savePassword(tx, await lockUserToManage(tx, id), columns));
  return temporary.password;
}

/** For administrators. Mails the password if there is a mail server. */
export async function sendNewPassword(ctx: Context, id: number): Promise<CredentialDelivery> {
  const { oidc, passwordSignIn } = ctx.deps.config;
  if (!passwordSignIn) {
    const text = `There are no passwords here: people sign in with ${oidc?.name}`;
    throw new AppError('PASSWORD_SIGN_IN_OFF', text);
  }
  const temporary = await makeTemporaryPassword(ctx);
  return inTransaction(ctx, async (tx) => {
    await requireAnotherAdmin(tx, { id });
    const user = await lockUserToManage(tx, id);
    if (user.disabled_at) throw new AppError('USER_DISABLED', 'This user is disabled: enable them first');
    await savePassword(tx, user, temporary.columns);
    return deliverCredential(tx, user, temporary, user.joined_at === null ? 'invitation' : 'reset');
  });
}

export async function createAdminWithTemporaryPassword(
  ctx: Context,
  input: { email: string; name: string },
): Promise<string> {
  const { id } = await createAdmin(ctx, { ...input, password: randomLegibleCode(4) }, false);
  return resetPassword(ctx, id);
}

export async function removeSecondFactors(ctx: Context, id: number): Promise<void> {
  const updated_at = ctx.deps.clock.now();
  await updateUser(ctx.db, id, { mfa_secret: null, mfa_pending_secret: null, updated_at });
  await deleteRecoveryCodes(ctx.db, id);
  // A lost phone holds passkeys too.
  await deletePasskeysOf(ctx.db, id);
}

export async function resetMfa(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUserToManage(tx, id);
    await removeSecondFactors(tx, id);
    await endAllAccess(tx.db, id, ctx.deps.clock.now());
    await recordActivity(tx, 'mfa.reset', subjectOf(user));
  });
}

export async function unlock(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUserToManage(tx, id);
    await unlockAccount(tx, user);
    await recordActivity(tx, 'account.unlocked', subjectOf(user));
  });
}
