import type { ChangePasswordInput } from '@customer-database/contract/auth';
import { inTransaction, type SignedInContext } from '../../../core/context.ts';
import { hashPassword, isSamePassword, verifyPassword } from '../../../crypto/passwords.ts';
import { AppError, fieldError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { findUserById, lockExistingUser, type UserRow, updateUser } from '../repo.ts';
import { endSessions } from '../sessions/repo.ts';
import { forgiveAttempts, passwordAttempts, reserveAttempts } from '../throttle/throttle.ts';
import { revokeOwnTokens } from '../tokens/commands.ts';
import { subjectOf } from '../user.ts';
import { checkNewPassword } from './policy.ts';

/** Refuses with 400, because a 401 would end the session. */
export async function requirePassword(
  ctx: SignedInContext,
  password: string,
  field: 'currentPassword' | 'password',
): Promise<UserRow> {
  const attempts = passwordAttempts(ctx, ctx.signedIn.user.id);
  await reserveAttempts(ctx, attempts);
  const user = await findUserById(ctx.db, ctx.signedIn.user.id);
  if (!user || !(await verifyPassword(user.password_hash, password))) {
    await recordActivity(ctx, 'credential.refused', subjectOf(ctx.signedIn.user), { factor: 'password' });
    throw wrongPassword(field);
  }
  await forgiveAttempts(ctx, attempts);
  return user;
}

function wrongPassword(field: 'currentPassword' | 'password'): AppError {
  const text = field === 'password' ? 'The password is not correct' : 'The current password is not correct';
  return new AppError('WRONG_PASSWORD', text, { fields: { [field]: text } });
}

/** Whether the verified password is still the current one. A concurrent sign-in may have rehashed it. */
export async function isStillCurrent(user: UserRow, verified: UserRow, password: string): Promise<boolean> {
  return user.password_hash === verified.password_hash || verifyPassword(user.password_hash, password);
}

export async function changePassword(ctx: SignedInContext, input: ChangePasswordInput): Promise<void> {
  await checkNewPassword(ctx.deps.config, input.newPassword, 'newPassword', ctx.signedIn.user);
  const user = await requirePassword(ctx, input.currentPassword, 'currentPassword');
  if (isSamePassword(input.newPassword, input.currentPassword)) {
    throw fieldError('newPassword', 'New password must be different from the current one');
  }
  const password_hash = await hashPassword(input.newPassword);
  const now = ctx.deps.clock.now();
  await inTransaction(ctx, async (tx) => {
    // Must not overwrite the password of a concurrent invitation or reset.
    const current = await lockExistingUser(tx.db, user.id);
    if (!(await isStillCurrent(current, user, input.currentPassword))) throw wrongPassword('currentPassword');
    await updateUser(tx.db, user.id, {
      password_hash,
      password_expires_at: null,
      must_change_password: false,
      joined_at: current.joined_at ?? now,
      updated_at: now,
    });
    await endSessions(tx.db, user.id, now, ctx.signedIn.sessionId);
    await recordActivity(tx, 'password.changed', subjectOf(user));
    if (input.revoke_tokens) await revokeOwnTokens(tx);
  });
}
