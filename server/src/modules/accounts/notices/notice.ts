import type { Context } from '../../../core/context.ts';
import type { JobDeps } from '../../../core/deps.ts';
import type { Job } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { UserRow } from '../repo.ts';
import { sendMail } from '../send-mail.ts';

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
    text: "From now on your company's own sign-in opens your account, too.",
    outro: outro.signIn,
  },
  token: {
    subject: 'Your account at the customer database was changed',
    text: 'An API token was made for your account. Programs that have it act in your name.',
    outro: outro.signIn,
  },
  reading: {
    subject: 'Unusual reading in the customer database',
    text: 'Within an hour, somebody viewed and downloaded more documents than is usual.',
    outro:
      'The activity log shows which. If this is not part of their work, end their sessions or disable the account.',
  },
  log: {
    subject: 'The activity log of the customer database needs attention',
    text: 'The server found that the activity log cannot be sealed as it should be.',
    outro: 'Please tell the operator of the server, who can run: npm run admin -- verify-activity',
  },
  device: {
    subject: 'New sign-in to the customer database',
    text: 'Somebody signed in to your account from a device that we have not seen before.',
    outro: outro.signIn,
  },
};
export type NoticeKind = keyof typeof notices;

/** Tells the owner of an account what happened, at the previous address; in the caller's transaction. */
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
  /** A list, because the queue does not keep the order of fields. */
  facts: [label: string, value: string][];
};

export const sendNoticeJob: Job<JobDeps, Notice> = { name: 'send-notice', run: sendNotice };

async function sendNotice(deps: JobDeps, { user_id, to, name, change, at, facts }: Notice): Promise<void> {
  const { subject, text, outro: advice } = notices[change];
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  await sendMail(deps, {
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
