import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterFile } from './cleanup.ts';
import { createTestDatabase } from './test-app.ts';

export type BreakableDatabase = {
  url: string;
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Runs the next statement with this text, but breaks the connection before its response arrives. */
  dropResponseTo(statement: string): void;
};

/** A database behind its own proxy, which tests can take down. */
export async function createBreakableDatabase(): Promise<BreakableDatabase> {
  const databaseUrl = await createTestDatabase();
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost: string | undefined;

  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    client.on('data', (chunk: Buffer) => {
      if (lost === undefined || !chunk.includes(lost)) return;
      lost = undefined;
      server.unpipe(client);
      server.once('data', () => client.destroy()).resume();
    });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);

  async function disconnect(): Promise<void> {
    const closed = once(proxy.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  afterFile(async () => {
    if (proxy.listening) await disconnect();
  });

  return {
    url: url.href,
    disconnect,
    async reconnect() {
      await once(proxy.listen(port, '127.0.0.1'), 'listening');
    },
    dropResponseTo(statement) {
      lost = statement;
    },
  };
}
