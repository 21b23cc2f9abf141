import type { Context } from '../../../core/context.ts';
import { hashPassword } from '../../../crypto/passwords.ts';
import { randomLegibleCode } from '../../../crypto/tokens.ts';
import type { UserRow } from '../repo.ts';
import { enqueueCredentialMail } from './credential-mail.ts';

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

/**
 * A temporary password reaches its user by mail. Without a mail server, the administrator sees it and passes it on.
 * Where users sign in through the company only, there is no password to deliver.
 */
export type CredentialDelivery =
  | { delivery: 'mail' }
  | { delivery: 'handover'; temporaryPassword: string | undefined };

/** Call it in the transaction that saves the password. */
export async function deliverCredential(
  ctx: Context,
  user: UserRow,
  { password }: TemporaryPassword,
  reason: 'invitation' | 'reset',
): Promise<CredentialDelivery> {
  const { oidc, passwordSignIn } = ctx.deps.config;
  const company = passwordSignIn ? undefined : oidc?.name;
  if (!ctx.deps.mailer) return { delivery: 'handover', temporaryPassword: company ? undefined : password };
  await enqueueCredentialMail(ctx, user, password, { reason, company });
  return { delivery: 'mail' };
}

export function presentDelivery(delivered: CredentialDelivery) {
  return delivered.delivery === 'mail'
    ? { delivery: delivered.delivery }
    : { delivery: delivered.delivery, temporary_password: delivered.temporaryPassword };
}
