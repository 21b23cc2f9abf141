import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';

export type ReceivedMail = {
  /** Whom the envelope names, which is who gets the mail. */
  recipients: string[];
  /** The lines before the first empty one, as they came over the wire. */
  head: string;
  email: Email;
};

export type MailServer = {
  url: string;
  accepted: ReceivedMail[];
  refused: ReceivedMail[];
  /** Answers the next `times` mails with this code and takes none of them. */
  refuse(code: number, times: number): void;
  stop(): Promise<void>;
};

async function readMail(raw: Buffer, recipients: string[]): Promise<ReceivedMail> {
  const [head = ''] = raw.toString('utf8').split('\r\n\r\n', 1);
  return { recipients, head, email: await PostalMime.parse(raw) };
}

/** A real mail server on this machine that keeps what it is sent. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const accepted: ReceivedMail[] = [];
  const refused: ReceivedMail[] = [];
  let refusal = { code: 0, times: 0 };

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((raw) => readMail(raw, recipients))
        .then((mail) => {
          if (refusal.times === 0) {
            accepted.push(mail);
            return callback();
          }
          refusal.times -= 1;
          refused.push(mail);
          callback(Object.assign(new Error('not now'), { responseCode: refusal.code }));
        }, callback);
    },
  });
  // A client that breaks off is no matter of the server's.
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  afterAll(stop);
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    accepted,
    refused,
    refuse: (code, times) => {
      refusal = { code, times };
    },
    stop,
  };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export type SilentServer = { url: string; connections(): number; stop(): void };

/** Takes connections and never says a word. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  afterAll(stop);
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.length,
    stop,
  };
}
