import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port on which nothing listens, outside Linux's ephemeral range: a client that keeps connecting to a stopped
 * server could otherwise get that very port and connect to itself.
 */
export async function freePort(): Promise<number> {
  while (true) {
    const port = randomInt(15_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').catch(() => undefined);
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
