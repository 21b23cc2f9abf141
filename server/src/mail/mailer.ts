export type Mail = { to: string; subject: string; text: string; messageId: string };

export type Mailer = { send(mail: Mail): Promise<void>; close(): void };

/** The library is loaded only where mails are sent: it is large. */
export async function createMailer(smtp: { url: string; from: string }): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
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
