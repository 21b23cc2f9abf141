import type { Context } from '../../../core/context.ts';
import type { UserRow } from '../repo.ts';
import { enqueueCredentialMail } from './credential-mail.ts';
import type { TemporaryPassword } from './temporary-password.ts';

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
