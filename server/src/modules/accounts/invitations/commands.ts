import type { InviteInput } from '@customer-database/contract/users';
import type { Updateable } from 'kysely';
import { type Context, inTransaction } from '../../../core/context.ts';
import type { Schema } from '../../../db/schema.ts';
import { isUniqueViolation } from '../../../db/unavailable.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import {
  type CredentialDelivery,
  deliverCredential,
  makeTemporaryPassword,
  type TemporaryPassword,
} from '../passwords/temporary-password.ts';
import * as accounts from '../repo.ts';
import { endAllAccess } from '../sessions/repo.ts';
import { emailTaken, lockUserToManage, recordNameAndRole, subjectOf } from '../user.ts';

export type Invitation = { user: accounts.UserRow; delivered: CredentialDelivery };

/**
 * Creates the account with a temporary password. Until the user chooses a password, another invitation replaces the
 * temporary password, the name and the role.
 */
export async function inviteUser(ctx: Context, input: InviteInput): Promise<Invitation> {
  const email = accounts.normalizeEmail(input.email);
  const temporary = await makeTemporaryPassword(ctx);
  const now = ctx.deps.clock.now();
  const account = {
    name: input.name ?? email.slice(0, email.lastIndexOf('@')),
    role: input.role,
    ...temporary.columns,
  };
  return inTransaction(ctx, async (tx) => {
    const found = await accounts.findUserByEmail(tx.db, email);
    // The lock makes a concurrent change of the password happen either before this check or after this transaction.
    const known = found && (await accounts.lockUser(tx.db, found.id));
    if (known && (known.joined_at !== null || !isOpenInvitation(known, now))) throw emailTaken();
    const user = known
      ? await renewInvitation(tx, known, account)
      : await accounts.insertUser(tx.db, { ...account, email, created_at: now });
    return { user, delivered: await sendInvitation(tx, user, temporary, known !== undefined) };
  }).catch((error: unknown) => {
    // Two admins invited the same address at once.
    throw isUniqueViolation(error, 'users_email_key') ? emailTaken() : error;
  });
}

/** Also ends the sessions that the earlier invitation opened. */
async function renewInvitation(
  ctx: Context,
  known: accounts.UserRow,
  columns: Updateable<Schema['users']>,
): Promise<accounts.UserRow> {
  await endAllAccess(ctx.db, known.id, ctx.deps.clock.now());
  const user = await accounts.updateUser(ctx.db, known.id, columns);
  await recordNameAndRole(ctx, known, user);
  return user;
}

async function sendInvitation(
  ctx: Context,
  user: accounts.UserRow,
  temporary: TemporaryPassword,
  again: boolean,
): Promise<CredentialDelivery> {
  await recordActivity(ctx, 'user.invited', subjectOf(user), { role: user.role, again });
  return deliverCredential(ctx, user, temporary, 'invitation');
}

/** Whether the user never chose a password, or has a temporary one that expired. */
function isOpenInvitation(user: accounts.UserRow, now: Date): boolean {
  if (user.password_expires_at === null || user.disabled_at !== null) return false;
  return user.joined_at === null || user.password_expires_at <= now;
}

async function lockOpenInvitation(ctx: Context, id: number): Promise<accounts.UserRow> {
  const user = await lockUserToManage(ctx, id);
  if (isOpenInvitation(user, ctx.deps.clock.now())) return user;
  throw new AppError('NO_OPEN_INVITATION', 'This user has no open invitation');
}

/** Replaces the temporary password. */
export async function resendInvitation(ctx: Context, id: number): Promise<CredentialDelivery> {
  const temporary = await makeTemporaryPassword(ctx);
  return inTransaction(ctx, async (tx) => {
    const user = await renewInvitation(tx, await lockOpenInvitation(tx, id), temporary.columns);
    return sendInvitation(tx, user, temporary, true);
  });
}

/** Deletes the account. The activity log keeps its rows. */
export async function withdrawInvitation(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockOpenInvitation(tx, id);
    // A user who has signed in, if only with the temporary password, is the actor of log rows.
    if (user.joined_at !== null || user.last_sign_in_at !== null)
      throw new AppError(
        'NO_OPEN_INVITATION',
        'This user has signed in already, so the account can only be disabled',
      );
    await accounts.deleteUser(tx.db, id);
    await recordActivity(tx, 'user.invitation_withdrawn', subjectOf(user));
  });
}
