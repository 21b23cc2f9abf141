import type { Metrics } from '../metrics/metrics.ts';

export type Mail = { to: string; subject: string; text: string; messageId: string };

export type Mailer = { send(mail: Mail): Promise<void>; close(): void };

/** Loads the library on demand, because it is large. */
export async function createMailer(smtp: { url: string; from: string }, { mails }: Metrics): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtp.url,
    // A hanging mail server must not block a job forever.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // Defence in depth: no part of a mail may read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      // RFC 3834: prevents out-of-office replies.
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const sending = transport.sendMail({ ...mail, from: smtp.from, headers });
      const outcome = await sending.then(
        () => 'sent',
        () => 'failed',
      );
      mails.inc({ outcome });
      await sending;
    },
    close: () => transport.close(),
  };
}
