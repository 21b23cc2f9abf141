import type { Role } from '@customer-database/contract/permissions';
import type { ProfileInput } from '@customer-database/contract/users';
import { type Context, inTransaction, type SignedInContext } from '../../core/context.ts';
import { hashPassword } from '../../crypto/passwords.ts';
import { isUniqueViolation } from '../../db/unavailable.ts';
import { AppError } from '../../http/errors.ts';
import { recordActivity } from '../activity/commands.ts';
import { requireConfirmed, subjectOf } from '../identity/commands.ts';
import * as accounts from '../identity/repo.ts';
import { enqueueNotice } from './notice.ts';
import { checkNewPassword } from './password-policy.ts';
import * as repo from './repo.ts';

export function emailTaken(): AppError {
  const text = 'A user with this email already exists';
  return new AppError('EMAIL_TAKEN', text, { fields: { email: text } });
}

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
      const before = await accounts.lockUser(tx.db, tx.signedIn.user.id);
      const isEmailChanged = changes.email !== undefined && changes.email !== before.email;
      if (isEmailChanged) requireConfirmed(tx);
      const user = await accounts.updateUser(tx.db, before.id, { ...changes, updated_at: now });
      if (isEmailChanged) {
        await accounts.endSessions(tx.db, user.id, now, tx.signedIn.sessionId);
        await enqueueNotice(tx, before, 'email');
      }
      await recordActivity(tx, 'user.updated', subjectOf(user), {
        fields: Object.keys(changes),
        ...(isEmailChanged && { previous_email: before.email }),
      });
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
}

export type NewAdmin = { name: string; email: string; password: string };

/** Creates an admin; with `onlyAsFirst` only while there are no users, even in a race. */
export async function createAdmin(
  ctx: Context,
  input: NewAdmin,
  onlyAsFirst: boolean,
): Promise<accounts.UserRow> {
  await checkNewPassword(ctx.deps.config, input.password, 'password', input);
  const password_hash = await hashPassword(input.password);
  const now = ctx.deps.clock.now();
  try {
    return await inTransaction(ctx, async (tx) => {
      await repo.lockUsers(tx.db);
      if (onlyAsFirst && (await accounts.hasUsers(tx.db))) throw registrationClosed();
      const user = await accounts.insertUser(tx.db, {
        email: accounts.normalizeEmail(input.email),
        name: input.name,
        role: 'admin',
        password_hash,
        // Other admins get a temporary password right away.
        joined_at: onlyAsFirst ? now : null,
        created_at: now,
        updated_at: now,
      });
      await recordActivity(tx, 'user.registered', subjectOf(user), { role: 'admin' });
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
}

export function registrationClosed(): AppError {
  return new AppError(
    'REGISTRATION_CLOSED',
    'Registration is closed. Ask an administrator for an invitation.',
  );
}

export async function findUserToManage(ctx: Context, email: string): Promise<accounts.UserRow> {
  const user = await accounts.findUserByEmail(ctx.db, email);
  if (!user) throw new AppError('NOT_FOUND', `There is no user with the email ${email}`);
  return user;
}

/** Refuses to demote or disable the last admin; the lock stops concurrent removals, too. */
export async function requireAnotherAdmin(ctx: Context, leaving: accounts.UserRow): Promise<void> {
  const admins = await repo.lockActiveAdminIds(ctx.db);
  if (admins.length === 1 && admins[0] === leaving.id) {
    throw new AppError('LAST_ADMIN', 'This is the last active administrator: make another one first');
  }
}

export async function setUserDisabled(ctx: Context, email: string, disabled: boolean): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await findUserToManage(tx, email);
    if (disabled) await requireAnotherAdmin(tx, user);
    const now = ctx.deps.clock.now();
    await accounts.updateUser(tx.db, user.id, { disabled_at: disabled ? now : null, updated_at: now });
    if (disabled) await accounts.endAllAccess(tx.db, user.id, now);
    await recordActivity(tx, disabled ? 'user.disabled' : 'user.enabled', subjectOf(user));
  });
}

export async function setUserRole(ctx: Context, email: string, role: Role): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await findUserToManage(tx, email);
    if (role !== 'admin') await requireAnotherAdmin(tx, user);
    await accounts.updateUser(tx.db, user.id, { role, updated_at: ctx.deps.clock.now() });
    await recordActivity(tx, 'user.role_changed', subjectOf(user), { from: user.role, to: role });
  });
}
