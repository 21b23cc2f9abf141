import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { keepSecret } from '../../scripts/test-logs.js';

export type ReceivedMail = {
  /** From the envelope, not from the headers. */
  recipients: string[];
  /** The raw headers. */
  head: string;
  email: Email;
};

/** How a mail server misbehaves. */
export type MailTrouble =
  /** At each step: greeting, recipient and data. */
  | { waitsMs: number }
  /** It takes the mail, but the connection breaks before the confirmation. */
  | 'dies before it confirms';

export type MailServer = {
  url: string;
  accepted: ReceivedMail[];
  refused: ReceivedMail[];
  /** Refuses the next `times` mails with this code. */
  refuse(code: number, times: number): void;
  setTrouble(trouble: MailTrouble | undefined): void;
  /** Connections so far. */
  calls(): number;
  stop(): Promise<void>;
};

async function readMail(raw: Buffer, recipients: string[]): Promise<ReceivedMail> {
  const [head = ''] = raw.toString('utf8').split('\r\n\r\n', 1);
  return { recipients, head, email: await PostalMime.parse(raw) };
}

export function passwordIn({ email }: ReceivedMail): string {
  const [, password] = /^Temporary password: +(\S+)$/m.exec(email.text ?? '') ?? [];
  if (!password) throw new Error(`no password in: ${email.text}`);
  keepSecret('temporary password', password);
  return password;
}

export type MailAccount = { user: string; password: string };

/** A real local mail server that keeps received mails; with an account it requires authentication. */
export async function openMailServer(port = 0, account?: MailAccount): Promise<MailServer> {
  const accepted: ReceivedMail[] = [];
  const refused: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let refusing = { code: 0, times: 0 };
  let trouble: MailTrouble | undefined;
  let calls = 0;

  async function beginStep(): Promise<void> {
    if (typeof trouble === 'object') await delay(trouble.waitsMs);
  }

  async function take(mail: ReceivedMail): Promise<void> {
    if (refusing.times > 0) {
      refusing.times -= 1;
      refused.push(mail);
      throw Object.assign(new Error('not now'), { responseCode: refusing.code });
    }
    await beginStep();
    accepted.push(mail);
    if (trouble === 'dies before it confirms') for (const socket of sockets) socket.destroy();
  }

  const server = new SMTPServer({
    disabledCommands: account ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    onAuth({ username, password }, _session, callback) {
      const isOwner = username === account?.user && password === account?.password;
      if (isOwner) callback(null, { user: username });
      else callback(new Error('who are you?'));
    },
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, callback) {
      calls += 1;
      beginStep().then(() => callback());
    },
    onRcptTo(_address, _session, callback) {
      beginStep().then(() => callback());
    },
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((raw) => readMail(raw, recipients))
        .then(take)
        .then(() => callback(), callback);
    },
  });
  // A client that disconnects is no error of the server.
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  listening.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    accepted,
    refused,
    refuse: (code, times) => {
      refusing = { code, times };
    },
    setTrouble: (next) => {
      trouble = next;
    },
    calls: () => calls,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
