import type { Context } from '../../core/context.ts';
import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { UserRow } from '../identity/repo.ts';
import { sendMail } from './send-mail.ts';

const changes = {
  email: 'The email address of your account was changed. From now on you sign in with the new one.',
  mfa: 'Multi-factor authentication (MFA) was turned on for your account.',
};
export type AccountChange = keyof typeof changes;

/** Tells the owner of an account about a change, at the previous address; in the caller's transaction. */
export async function enqueueNotice(ctx: Context, before: UserRow, change: AccountChange): Promise<void> {
  if (!ctx.deps.mailer) return;
  const at = ctx.deps.clock.now().toISOString();
  const payload = { user_id: before.id, to: before.email, name: before.name, change, at };
  await enqueue(ctx.db, sendNoticeJob, payload, `notice:${before.id}:${change}:${at}`);
}

type Notice = { user_id: number; to: string; name: string; change: AccountChange; at: string };

export const sendNoticeJob: Job<JobDeps, Notice> = { name: 'send-notice', run: sendNotice };

async function sendNotice(deps: JobDeps, { user_id, to, name, change, at }: Notice): Promise<void> {
  await sendMail(deps, {
    to,
    subject: 'Your account at the customer database was changed',
    messageId: `<notice-${user_id}-${change}-${new Date(at).getTime()}@customer-database>`,
    text: [
      `Hello ${name},`,
      '',
      changes[change],
      `Time: ${at.slice(0, 16).replace('T', ' ')} UTC`,
      '',
      'You have been signed out everywhere else. If this was not you, please tell an administrator at once.',
      '',
    ].join('\n'),
  });
}
