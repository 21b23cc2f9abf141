/** What the commands about users share. */
import type { Context } from '../../core/context.ts';
import { AppError } from '../../http/errors.ts';
import { changesBetween } from '../activity/changes.ts';
import { recordChanges, type Subject } from '../activity/commands.ts';
import { lockUser, type UserRow } from './repo.ts';

export const subjectOf = (user: { id: number; email: string }): Subject => ({
  type: 'user',
  id: user.id,
  label: user.email,
});

export const userNotFound = () => new AppError('NOT_FOUND', 'User not found');

export function emailTaken(): AppError {
  const text = 'A user with this email already exists';
  return new AppError('EMAIL_TAKEN', text, { fields: { email: text } });
}

/** Locks the user until the transaction ends. */
export async function lockUserToManage(ctx: Context, id: number): Promise<UserRow> {
  const user = await lockUser(ctx.db, id);
  if (!user) throw userNotFound();
  return user;
}

/** Logs a changed name and a changed role as two actions. */
export async function recordNameAndRole(ctx: Context, before: UserRow, user: UserRow): Promise<void> {
  if (user.name !== before.name)
    await recordChanges(ctx, 'user.updated', subjectOf(user), changesBetween(before, user, ['name']));
  if (user.role !== before.role)
    await recordChanges(ctx, 'user.role_changed', subjectOf(user), changesBetween(before, user, ['role']));
}
