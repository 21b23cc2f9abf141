import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@customer-database/testkit/ports';

/** What is wrong with the line to the store; bytes are counted from the beginning of each connection. */
export type Trouble =
  | 'none'
  /** Nobody listens. */
  | 'refusing'
  /** Connections are taken, and what is sent is read; nothing ever comes back. */
  | 'silent'
  | { cut: 'request' | 'answer'; afterBytes: number }
  /** The answer stops in the middle, and the connection stays open. */
  | { stallAfterBytes: number }
  | { bytesPerSecond: number };

export type BrokenLine = { endpoint: string; set(trouble: Trouble): Promise<void>; close(): Promise<void> };

type Way = 'request' | 'answer';

/** A line to a server on this machine that can go wrong in every way that lines do. */
export async function openLine(target: string): Promise<BrokenLine> {
  const sockets = new Set<Socket>();
  let trouble: Trouble = 'none';

  function passing(way: Way, cutAll: () => void): Transform {
    let passed = 0;
    return new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        const allowed = bytesAllowed(trouble, way, passed, chunk.length);
        passed += allowed;
        if (typeof trouble === 'object' && 'bytesPerSecond' in trouble) {
          await delay((1_000 * chunk.length) / trouble.bytesPerSecond);
        }
        if (allowed > 0) this.push(chunk.subarray(0, allowed));
        if (allowed === chunk.length) done();
        else if (typeof trouble === 'object' && 'cut' in trouble) setTimeout(cutAll, 20);
        // Else it is never heard of again.
      },
    });
  }

  const listener = createServer((client) => {
    const store = connect(Number(new URL(target).port), '127.0.0.1');
    const cutAll = () => {
      client.destroy();
      store.destroy();
    };
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        cutAll();
      });
    }
    client.pipe(passing('request', cutAll)).pipe(store);
    store.pipe(passing('answer', cutAll)).pipe(client);
  });
  const port = await freePort();
  await once(listener.listen(port, '127.0.0.1'), 'listening');

  async function shut(): Promise<void> {
    const closed = listener.listening ? once(listener.close(), 'close') : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    async set(next) {
      // What is open ends, so that every connection knows one trouble only.
      await shut();
      trouble = next;
      if (next !== 'refusing') await once(listener.listen(port, '127.0.0.1'), 'listening');
    },
    close: shut,
  };
}

/** How many of these bytes go through. */
function bytesAllowed(trouble: Trouble, way: Way, passed: number, length: number): number {
  if (trouble === 'silent') return way === 'request' ? length : 0;
  if (typeof trouble !== 'object') return length;
  if ('cut' in trouble && trouble.cut === way) return clamp(trouble.afterBytes - passed, length);
  if ('stallAfterBytes' in trouble && way === 'answer')
    return clamp(trouble.stallAfterBytes - passed, length);
  return length;
}

const clamp = (room: number, length: number) => Math.max(0, Math.min(room, length));
