import type { Context } from '../../../core/context.ts';
import type { JobDeps } from '../../../core/deps.ts';
import { verifyPassword } from '../../../crypto/passwords.ts';
import { open, seal } from '../../../crypto/secretbox.ts';
import type { Job } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { findUserById, type UserRow } from '../repo.ts';

type MailOptions = {
  reason: 'invitation' | 'reset';
  /** The name of the company sign-in, where there is no other. */
  company: string | undefined;
};

/** The password is sealed because the queue is stored. */
type CredentialMail = { user_id: number; sealed_password: string } & MailOptions;

const sealPurpose = (userId: number) => `invitation:${userId}`;

export async function enqueueCredentialMail(
  ctx: Context,
  { id }: UserRow,
  password: string,
  options: MailOptions,
): Promise<void> {
  const sealed = seal(ctx.deps.keys.secretbox, sealPurpose(id), password).toString('base64');
  const payload = { user_id: id, sealed_password: sealed, ...options };
  await enqueue(ctx.db, sendCredentialMailJob, payload, `invitation:${id}`);
}

export const sendCredentialMailJob: Job<JobDeps, CredentialMail> = {
  name: 'send-invitation',
  run: sendCredentialMail,
};

const texts = {
  invitation: {
    subject: 'Your invitation to the customer database',
    opening: 'you have been invited to the customer database.',
  },
  reset: {
    subject: 'Your new password for the customer database',
    opening: 'an administrator has set a new password for you. The old one no longer works.',
  },
};

/** Sends no mail if the password was used, replaced or withdrawn meanwhile. */
async function sendCredentialMail(deps: JobDeps, payload: CredentialMail): Promise<void> {
  const user = await findUserById(deps.db, payload.user_id);
  if (!user || user.disabled_at || !deps.mailer) return;
  if (!user.password_expires_at || user.password_expires_at <= deps.clock.now()) return;
  const sealed = Buffer.from(payload.sealed_password, 'base64');
  const password = open(deps.keys.secretbox, sealPurpose(user.id), sealed);
  if (!(await verifyPassword(user.password_hash, password))) return;
  const { subject, opening } = texts[payload.reason];
  const howToSignIn = payload.company
    ? [`Sign in with:        ${payload.company}`, '', 'The invitation works for 7 days.']
    : [
        `Temporary password:  ${password}`,
        '',
        'The temporary password works for 7 days. You will be asked to choose your own.',
      ];
  await deps.mailer?.send({
    to: user.email,
    subject,
    // Each retry has the same id, so that mail servers recognise it.
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
