import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * On which nothing listens. Not one of those that Linux gives to outgoing connections: whoever keeps asking for a
 * program that is away could be given its port, and be connected with himself.
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
