import type { Context } from '../../../core/context.ts';
import { hashPassword } from '../../../crypto/passwords.ts';
import { randomLegibleCode } from '../../../crypto/tokens.ts';
import type { UserRow } from '../repo.ts';

const temporaryPasswordTtlMs = 7 * 24 * 3_600_000;

export type TemporaryPassword = {
  password: string;
  columns: Pick<UserRow, 'password_hash' | 'password_expires_at' | 'must_change_password' | 'updated_at'>;
};

export async function makeTemporaryPassword(ctx: Context): Promise<TemporaryPassword> {
  const password = randomLegibleCode(4);
  const now = ctx.deps.clock.now();
  return {
    password,
    columns: {
      password_hash: await hashPassword(password),
      password_expires_at: new Date(now.getTime() + temporaryPasswordTtlMs),
      must_change_password: true,
      updated_at: now,
    },
  };
}
