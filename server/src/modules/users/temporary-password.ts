import type { Context } from '../../core/context.ts';
import type { JobDeps } from '../../core/deps.ts';
import { hashPassword, verifyPassword } from '../../crypto/passwords.ts';
import { open, seal } from '../../crypto/secretbox.ts';
import { randomLegibleCode } from '../../crypto/tokens.ts';
import type { Job } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { findUserById, type UserRow } from '../identity/repo.ts';
import { sendMail } from './send-mail.ts';

const temporaryPasswordTtlMs = 7 * 24 * 3_600_000;

const sealPurpose = (userId: number) => `invitation:${userId}`;

export type TemporaryPassword = {
  password: string;
  /** What to save with the account. */
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
 * How a temporary password reaches its user; without a mail server, by the administrator who is shown it. Where
 * passwords are off, nobody needs one.
 */
export type Handover = { delivery: 'mail' } | { delivery: 'handover'; temporaryPassword: string | undefined };

/** In the transaction that saves the password. */
export async function handOver(
  ctx: Context,
  user: UserRow,
  { password }: TemporaryPassword,
  reason: 'invitation' | 'reset',
): Promise<Handover> {
  const { companySignIn, passwordSignIn } = ctx.deps.config;
  const company = passwordSignIn ? undefined : companySignIn?.name;
  if (!ctx.deps.mailer) return { delivery: 'handover', temporaryPassword: company ? undefined : password };
  const sealed = seal(ctx.deps.keys.secretbox, sealPurpose(user.id), password).toString('base64');
  const payload = { user_id: user.id, sealed_password: sealed, reason, company };
  await enqueue(ctx.db, sendTemporaryPasswordJob, payload, `invitation:${user.id}`);
  return { delivery: 'mail' };
}

/** The password is sealed because the queue is stored. Jobs of older versions are invitations. */
type TemporaryPasswordMail = {
  user_id: number;
  sealed_password: string;
  reason?: 'invitation' | 'reset';
  /** What the company's own sign-in is called, where it is the only way. */
  company?: string | undefined;
};

export const sendTemporaryPasswordJob: Job<JobDeps, TemporaryPasswordMail> = {
  name: 'send-invitation',
  run: sendTemporaryPassword,
};

const texts = {
  invitation: {
    subject: 'Your invitation to the customer database',
    opening: 'you have been invited to the customer database.',
  },
  reset: {
    subject: 'Your new password for the customer database',
    opening: 'an administrator has made a new password for you. The old one no longer works.',
  },
};

/** Mails the password unless it was used, replaced or withdrawn meanwhile. */
async function sendTemporaryPassword(deps: JobDeps, payload: TemporaryPasswordMail): Promise<void> {
  const user = await findUserById(deps.db, payload.user_id);
  if (!user || user.disabled_at || !deps.mailer) return;
  if (!user.password_expires_at || user.password_expires_at <= deps.clock.now()) return;
  const sealed = Buffer.from(payload.sealed_password, 'base64');
  const password = open(deps.keys.secretbox, sealPurpose(user.id), sealed);
  if (!(await verifyPassword(user.password_hash, password))) return;
  const { subject, opening } = texts[payload.reason ?? 'invitation'];
  const howToSignIn = payload.company
    ? [`Sign in with:        ${payload.company}`, '', 'The invitation works for 7 days.']
    : [
        `Temporary password:  ${password}`,
        '',
        'The temporary password works for 7 days. You will be asked to choose your own.',
      ];
  await sendMail(deps, {
    to: user.email,
    subject,
    // The same for every attempt, so that mail servers recognise a retry.
    messageId: `<invitation-${user.id}-${sealed.subarray(0, 12).toString('hex')}@customer-database>`,
    text: [
      `Hello ${user.name},`,
      '',
      opening,
      '',
      `Sign in at:          ${deps.publicUrl}/login`,
      `Email:               ${user.email}`,
      ...howToSignIn,
      '',
    ].join('\n'),
  });
}
