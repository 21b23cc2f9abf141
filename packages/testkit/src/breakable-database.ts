import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterFile } from './cleanup.ts';
import { createTestDatabase } from './test-app.ts';

export type BreakableDatabase = {
  url: string;
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
  /** The next statement with this text is carried out, but the connection breaks before its answer arrives. */
  loseAnswerTo(statement: string): void;
};

/** A database behind a door of its own, which can be shut: then nobody answers at its address. */
export async function createBreakableDatabase(): Promise<BreakableDatabase> {
  const databaseUrl = await createTestDatabase();
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost: string | undefined;

  const door = createServer((client) => {
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
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const { port } = door.address() as AddressInfo;

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);

  async function takeAway(): Promise<void> {
    const closed = once(door.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  afterFile(async () => {
    if (door.listening) await takeAway();
  });

  return {
    url: url.href,
    takeAway,
    async bringBack() {
      await once(door.listen(port, '127.0.0.1'), 'listening');
    },
    loseAnswerTo(statement) {
      lost = statement;
    },
  };
}
