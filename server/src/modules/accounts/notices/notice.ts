import type { Context } from '../../../core/context.ts';
import type { JobDeps } from '../../../core/deps.ts';
import type { Job } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { UserRow } from '../repo.ts';

const outro = {
  change:
    'You have been signed out everywhere else. If this was not you, please tell an administrator at once.',
  signIn: 'If this was not you, please change your password and tell an administrator at once.',
};

const notices = {
  email: {
    subject: 'Your account at the customer database was changed',
    text: 'The email address of your account was changed. From now on you sign in with the new one.',
    outro: outro.change,
  },
  mfa: {
    subject: 'Your account at the customer database was changed',
    text: 'Multi-factor authentication (MFA) was turned on for your account.',
    outro: outro.change,
  },
  passkey: {
    subject: 'Your account at the customer database was changed',
    text: 'A passkey was added to your account. It signs in without the password.',
    outro: outro.signIn,
  },
  company: {
    subject: 'Your account at the customer database was changed',
    text: 'From now on you can also sign in through your company.',
    outro: outro.signIn,
  },
  token: {
    subject: 'Your account at the customer database was changed',
    text: 'An API token was created for your account. Programs that have it act in your name.',
    outro: outro.signIn,
  },
  reading: {
    subject: 'Unusually many documents opened in the customer database',
    text: 'A user viewed and downloaded unusually many documents within an hour.',
    outro:
      'The activity log shows which. If this is not part of the work of the user, end the sessions or disable the account.',
  },
  log: {
    subject: 'The activity log of the customer database needs attention',
    text: 'The server cannot seal the activity log as it should.',
    outro: 'Please tell the operator of the server, who can run: npm run admin -- verify-activity',
  },
  device: {
    subject: 'New sign-in to the customer database',
    text: 'A new device signed in to your account.',
    outro: outro.signIn,
  },
};
export type NoticeKind = keyof typeof notices;

/** Mails the user at the email before the change. The mail is queued in the caller's transaction. */
export async function enqueueNotice(
  ctx: Context,
  before: UserRow,
  change: NoticeKind,
  facts: Record<string, string> = {},
): Promise<void> {
  if (!ctx.deps.mailer) return;
  const at = ctx.deps.clock.now().toISOString();
  const payload = {
    user_id: before.id,
    to: before.email,
    name: before.name,
    change,
    at,
    facts: Object.entries(facts),
  };
  await enqueue(ctx.db, sendNoticeJob, payload, `notice:${before.id}:${change}:${at}`);
}

type Notice = {
  user_id: number;
  to: string;
  name: string;
  change: NoticeKind;
  at: string;
  /** A list, because JSON in the queue does not keep the order of fields. */
  facts: [label: string, value: string][];
};

export const sendNoticeJob: Job<JobDeps, Notice> = { name: 'send-notice', run: sendNotice };

async function sendNotice(deps: JobDeps, { user_id, to, name, change, at, facts }: Notice): Promise<void> {
  const { subject, text, outro: advice } = notices[change];
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  await deps.mailer?.send({
    to,
    subject,
    messageId: `<notice-${user_id}-${change}-${new Date(at).getTime()}@customer-database>`,
    text: [
      `Hello ${name},`,
      '',
      text,
      ...[...facts, ['Time', time]].map(([label, value]) => `${label}: ${value}`),
      '',
      advice,
      '',
    ].join('\n'),
  });
}
