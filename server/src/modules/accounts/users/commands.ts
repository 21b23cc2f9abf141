import type { UpdateUserInput, UserListQuery } from '@customer-database/contract/users';
import { type Context, inTransaction, type SignedInContext } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import * as accounts from '../repo.ts';
import { endAllAccess } from '../sessions/repo.ts';
import { lockUserToManage, recordNameAndRole, subjectOf, userNotFound } from '../user.ts';
import * as repo from './repo.ts';

export function listUsers(
  ctx: Context,
  query: UserListQuery,
): Promise<{ users: repo.ManagedUserRow[]; total: number }> {
  return repo.listUsers(ctx.db, query, ctx.deps.clock.now());
}

export function listAllUsers(ctx: Context): Promise<repo.ManagedUserRow[]> {
  return repo.listAllUsers(ctx.db, ctx.deps.clock.now());
}

export async function getUser(ctx: Context, id: number): Promise<repo.ManagedUserRow> {
  const user = await repo.findManagedUser(ctx.db, id, ctx.deps.clock.now());
  if (!user) throw userNotFound();
  return user;
}

/** For the command line, where the operator gives the email of a user. */
export async function findUserIdByEmail(ctx: Context, email: string): Promise<number> {
  const user = await accounts.findUserByEmail(ctx.db, email);
  if (!user) throw new AppError('NOT_FOUND', `There is no user with the email ${email}`);
  return user.id;
}

/**
 * Refuses to remove the last administrator. Those with a temporary password do not count, because they may never sign
 * in. The lock also stops concurrent removals, so take it before the lock of the user.
 */
export async function requireAnotherAdmin(ctx: Context, leaving: { id: number }): Promise<void> {
  const admins = await repo.lockAdmins(ctx.db);
  const isAdmin = admins.some(({ id }) => id === leaving.id);
  const others = admins.filter(({ id, password_expires_at }) => id !== leaving.id && !password_expires_at);
  if (isAdmin && others.length === 0) {
    throw new AppError('LAST_ADMIN', 'This is the last active administrator: make another one first');
  }
}

/** Saves what differs from before. */
export async function updateUser(ctx: Context, id: number, { name, role }: UpdateUserInput): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (role === 'staff') await requireAnotherAdmin(tx, { id });
    const before = await lockUserToManage(tx, id);
    const user = await accounts.updateUser(tx.db, id, {
      name: name ?? before.name,
      role: role ?? before.role,
      updated_at: ctx.deps.clock.now(),
    });
    await recordNameAndRole(tx, before, user);
  });
}

export async function setUserDisabled(ctx: Context, id: number, disabled: boolean): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (disabled) await requireAnotherAdmin(tx, { id });
    const user = await lockUserToManage(tx, id);
    // A second request keeps the time of the first.
    if ((user.disabled_at !== null) === disabled) return;
    const now = ctx.deps.clock.now();
    await accounts.updateUser(tx.db, id, { disabled_at: disabled ? now : null, updated_at: now });
    if (disabled) await endAllAccess(tx.db, id, now);
    await recordActivity(tx, disabled ? 'user.disabled' : 'user.enabled', subjectOf(user));
  });
}

/** Also revokes the tokens and document links of the user. */
export async function endSessionsOf(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUserToManage(tx, id);
    await endAllAccess(tx.db, id, ctx.deps.clock.now());
    await recordActivity(tx, 'session.ended', subjectOf(user), { which: 'all' });
  });
}

/** Users change their own account on the profile, where the checks are stricter. */
export function refuseOwnAccount(ctx: SignedInContext, id: number, text: string): void {
  if (ctx.signedIn.user.id === id) throw new AppError('OWN_ACCOUNT', text);
}
