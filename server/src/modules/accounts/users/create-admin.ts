import { type Context, inTransaction } from '../../../core/context.ts';
import { hashPassword } from '../../../crypto/passwords.ts';
import { isUniqueViolation } from '../../../db/unavailable.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { checkNewPassword } from '../passwords/policy.ts';
import * as accounts from '../repo.ts';
import { emailTaken, subjectOf } from '../user.ts';
import * as repo from './repo.ts';

/** Where password sign-in is off, the first administrator still needs it to set up the company sign-in. */
const firstPasswordMs = 7 * 24 * 3_600_000;

export type NewAdmin = { name: string; email: string; password: string };

/** With `onlyAsFirst`, creates the administrator only while there are no users; the lock decides between two. */
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
        // Other administrators get a temporary password right after.
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
