import { expect } from 'vitest';
import type { Answer } from './client.ts';
import { makeUser, type TestUser, unique } from './factories.ts';
import { makeJobsDue, pendingJobs } from './jobs.ts';
import type { MailServer, ReceivedMail } from './mail-server.ts';
import { freePort } from './ports.ts';
import { startMailServer } from './smtp.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export const mailSettings = (smtpUrl: string) => ({
  SMTP_URL: smtpUrl,
  MAIL_FROM: 'Customer Database <no-reply@company.example>',
  PUBLIC_URL: 'https://database.company.example/',
});

export const newEmail = () => `${unique('invited')}@example.com`;

export type MailTest = {
  app: TestApp;
  admin: TestUser;
  /** The running mail server. */
  server(): MailServer;
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  invite(email: string, more?: Record<string, unknown>): Promise<Answer>;
  mailsTo(email: string): ReceivedMail[];
  /** Waits for the mail; fails unless it arrives exactly once. */
  onlyMailTo(email: string): Promise<ReceivedMail>;
  /** Waits until that many attempts failed and none is running; resolves to the last error. */
  failedAttempts(attempts: number): Promise<string>;
  /** Runs the next attempt now, without its backoff. */
  retryNow(): Promise<void>;
  queueIsEmpty(): Promise<void>;
};

/** The server with its job worker and a mail server that can go down and come back. */
export async function startMailTest(env: Record<string, string> = {}): Promise<MailTest> {
  const port = await freePort();
  let server = await startMailServer(port);
  const app = await startTestApp({ withJobs: true, env: { ...mailSettings(server.url), ...env } });
  const admin = await makeUser(app, 'admin');
  const patient = { timeout: 15_000 };

  const mailJobs = async () =>
    (await pendingJobs(app.pool)).filter(({ name }) => ['send-invitation', 'send-notice'].includes(name));
  const retryNow = () => makeJobsDue(app.pool);
  const mailsTo = (email: string) => server.accepted.filter((mail) => mail.recipients.includes(email));
  const queueIsEmpty = () => expect.poll(mailJobs, patient).toEqual([]);

  return {
    app,
    admin,
    server: () => server,
    goDown: () => server.stop(),
    async comeBack() {
      server = await startMailServer(port);
      await retryNow();
    },
    invite: (email, more = {}) => admin.client.post('/api/auth/invite', { email, ...more }),
    mailsTo,
    async onlyMailTo(email) {
      await queueIsEmpty();
      const [mail, ...more] = mailsTo(email);
      if (!mail || more.length > 0) throw new Error(`${email} got ${mailsTo(email).length} mails`);
      return mail;
    },
    async failedAttempts(attempts) {
      let error: string | null = null;
      const hasFailed = async () => {
        const [job] = await mailJobs();
        error = job?.lastError ?? null;
        return job !== undefined && job.attempts >= attempts && error !== null && !job.isRunning;
      };
      await expect.poll(hasFailed, patient).toBe(true);
      return error ?? '';
    },
    retryNow,
    queueIsEmpty,
  };
}
