import type { ProfileInput } from '@customer-database/contract/users';
import { type Context, inTransaction, type SignedInContext } from '../../core/context.ts';
import { hashPassword } from '../../crypto/passwords.ts';
import { isUniqueViolation } from '../../db/unavailable.ts';
import { AppError } from '../../http/errors.ts';
import { changesBetween } from '../activity/changes.ts';
import { recordActivity, recordChanges } from '../activity/commands.ts';
import { requireConfirmed, revokeOwnTokens, subjectOf } from '../identity/commands.ts';
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
      const before = await accounts.lockExistingUser(tx.db, tx.signedIn.user.id);
      const isEmailChanged = changes.email !== undefined && changes.email !== before.email;
      if (isEmailChanged) requireConfirmed(tx);
      const user = await accounts.updateUser(tx.db, before.id, {
        ...changes,
        ...(isEmailChanged && { chose_email: true }),
        updated_at: now,
      });
      if (isEmailChanged) {
        await accounts.endSessions(tx.db, user.id, now, tx.signedIn.sessionId);
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

/** Where passwords are off, the first administrator still needs a way in: nobody else has seen to the company's yet. */
const firstPasswordMs = 7 * 24 * 3_600_000;

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
        password_allowed_until: onlyAsFirst ? new Date(now.getTime() + firstPasswordMs) : null,
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
