import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@customer-database/testkit/ports';

/** What is wrong with the connection to the store; bytes count from the start of each connection. */
export type Fault =
  | 'none'
  /** The port is closed. */
  | 'refusing'
  /** Connections are accepted and requests are read, but never answered. */
  | 'silent'
  | { cut: 'request' | 'answer'; afterBytes: number }
  /** The answer stops in the middle, and the connection stays open. */
  | { stallAfterBytes: number }
  | { bytesPerSecond: number };

export type FaultyProxy = { endpoint: string; set(fault: Fault): Promise<void>; close(): Promise<void> };

type Direction = 'request' | 'answer';

/** A proxy to a local server that can fail in every way that networks do. */
export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let fault: Fault = 'none';

  function filter(direction: Direction, cutBoth: () => void): Transform {
    let passed = 0;
    return new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        const allowed = bytesAllowed(fault, direction, passed, chunk.length);
        passed += allowed;
        if (typeof fault === 'object' && 'bytesPerSecond' in fault) {
          await delay((1_000 * chunk.length) / fault.bytesPerSecond);
        }
        if (allowed > 0) this.push(chunk.subarray(0, allowed));
        if (allowed === chunk.length) done();
        else if (typeof fault === 'object' && 'cut' in fault) setTimeout(cutBoth, 20);
        // Otherwise it stalls forever.
      },
    });
  }

  const listener = createServer((client) => {
    const store = connect(Number(new URL(target).port), '127.0.0.1');
    const cutBoth = () => {
      client.destroy();
      store.destroy();
    };
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        cutBoth();
      });
    }
    client.pipe(filter('request', cutBoth)).pipe(store);
    store.pipe(filter('answer', cutBoth)).pipe(client);
  });
  const port = await freePort();
  await once(listener.listen(port, '127.0.0.1'), 'listening');

  async function stop(): Promise<void> {
    const closed = listener.listening ? once(listener.close(), 'close') : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    async set(next) {
      // Closes open connections, so that each one sees a single fault.
      await stop();
      fault = next;
      if (next !== 'refusing') await once(listener.listen(port, '127.0.0.1'), 'listening');
    },
    close: stop,
  };
}

/** How many of these bytes pass. */
function bytesAllowed(fault: Fault, direction: Direction, passed: number, length: number): number {
  if (fault === 'silent') return direction === 'request' ? length : 0;
  if (typeof fault !== 'object') return length;
  if ('cut' in fault && fault.cut === direction) return clamp(fault.afterBytes - passed, length);
  if ('stallAfterBytes' in fault && direction === 'answer')
    return clamp(fault.stallAfterBytes - passed, length);
  return length;
}

const clamp = (rest: number, length: number) => Math.max(0, Math.min(rest, length));
