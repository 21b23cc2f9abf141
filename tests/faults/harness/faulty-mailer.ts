import {
  type MailServer,
  type MailTrouble,
  openMailServer,
  type ReceivedMail,
} from '@customer-database/testkit/mail-server';
import { freePort } from '@customer-database/testkit/ports';

/** A mail server that can also be down; mails accepted before an outage stay listed. */
export type FaultyMailer = {
  url: string;
  setTrouble(trouble: MailTrouble | 'down' | undefined): Promise<void>;
  calls(): number;
  mailsTo(email: string): ReceivedMail[];
  close(): Promise<void>;
};

export async function openFaultyMailer(): Promise<FaultyMailer> {
  const port = await freePort();
  const servers: MailServer[] = [await openMailServer(port)];
  let isDown = false;
  const current = () => servers.at(-1);
  return {
    url: `smtp://127.0.0.1:${port}`,
    async setTrouble(trouble) {
      if (trouble === 'down') await current()?.stop();
      else {
        if (isDown) servers.push(await openMailServer(port));
        current()?.setTrouble(trouble);
      }
      isDown = trouble === 'down';
    },
    calls: () => servers.reduce((sum, server) => sum + server.calls(), 0),
    mailsTo: (email) =>
      servers.flatMap(({ accepted }) => accepted).filter(({ recipients }) => recipients.includes(email)),
    close: async () => current()?.stop(),
  };
}
