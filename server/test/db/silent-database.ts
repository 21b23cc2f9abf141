import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterFile } from '@customer-database/testkit/cleanup';
import { createTestDatabase } from '@customer-database/testkit/test-app';

export type SilentDatabase = { url: string; stopAnswering(): void; resume(): void };

/**
 * A database that can stop answering while every connection stays open, as behind a firewall that
 * drops packets: it still accepts connections and data, but nothing comes back.
 */
export async function createSilentDatabase(): Promise<SilentDatabase> {
  const databaseUrl = await createTestDatabase();
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;

  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    client.pipe(server);
    server.pipe(client);
    if (isSilent) server.unpipe(client);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    answers.set(server, client);
  });
  const answers = new Map<Socket, Socket>();
  await once(proxy.listen(0, '127.0.0.1'), 'listening');

  afterFile(async () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    stopAnswering() {
      isSilent = true;
      for (const [server, client] of answers) server.unpipe(client);
    },
    resume() {
      isSilent = false;
      for (const [server, client] of answers) if (sockets.has(server)) server.pipe(client);
    },
  };
}
