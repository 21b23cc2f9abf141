import {
  type MailServer,
  type MailTrouble,
  openMailServer,
  type ReceivedMail,
} from '@customer-database/testkit/mail-server';
import { freePort } from '@customer-database/testkit/ports';

/** A mail server that can also be down; what it took before counts all the same. */
export type PostOffice = {
  url: string;
  suffer(trouble: MailTrouble | 'down' | undefined): Promise<void>;
  calls(): number;
  mailsTo(email: string): ReceivedMail[];
  close(): Promise<void>;
};

export async function openPostOffice(): Promise<PostOffice> {
  const port = await freePort();
  const servers: MailServer[] = [await openMailServer(port)];
  let isDown = false;
  const current = () => servers.at(-1);
  return {
    url: `smtp://127.0.0.1:${port}`,
    async suffer(trouble) {
      if (trouble === 'down') await current()?.stop();
      else {
        if (isDown) servers.push(await openMailServer(port));
        current()?.suffer(trouble);
      }
      isDown = trouble === 'down';
    },
    calls: () => servers.reduce((sum, server) => sum + server.calls(), 0),
    mailsTo: (email) =>
      servers.flatMap(({ accepted }) => accepted).filter(({ recipients }) => recipients.includes(email)),
    close: async () => current()?.stop(),
  };
}
