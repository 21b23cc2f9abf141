import type { Context } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { enqueue, type JobPayloads } from '../../jobs/queue.ts';
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
  await enqueue(ctx.db, 'send-notice', payload, `notice:${before.id}:${change}:${at}`);
}

/** Job handler. */
export async function sendNotice(deps: Deps, payload: JobPayloads['send-notice']): Promise<void> {
  const { user_id, to, name, change, at } = payload;
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
