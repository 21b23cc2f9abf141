import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterFile } from './cleanup.ts';
import { type MailAccount, type MailServer, openMailServer } from './mail-server.ts';

/** A real mail server, stopped when the test file ends. */
export async function startMailServer(port: number, account?: MailAccount): Promise<MailServer> {
  const server = await openMailServer(port, account);
  afterFile(server.stop);
  return server;
}

export type SilentServer = { url: string; connections(): number; stop(): void };

/** Accepts connections and never answers. */
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
  afterFile(async () => stop());
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.length,
    stop,
  };
}
