import type { Context } from '../../core/context.ts';
import { userNotFound } from './errors.ts';
import { lockUser, type UserRow } from './repo.ts';

export async function lockUserToManage(ctx: Context, id: number): Promise<UserRow> {
  const user = await lockUser(ctx.db, id);
  if (!user) throw userNotFound();
  return user;
}
