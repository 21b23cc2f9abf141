import { createTransport } from 'nodemailer';

export type Mail = { to: string; subject: string; text: string; messageId: string };

export type Mailer = { send(mail: Mail): Promise<void>; close(): void };

export function createMailer(smtp: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url: smtp.url,
    // A mail server that hangs must not hold a job for ever.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // The texts are ours, but nothing in a mail may ever read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, from: smtp.from });
    },
    close: () => transport.close(),
  };
}
