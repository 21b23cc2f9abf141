import { finished, Readable } from 'node:stream';
import { type Checksum, checkAgainst } from './checksum.ts';
import { ObjectDamagedError, StorageUnavailableError } from './port.ts';

/** What must come; where the checksum is known, the last bytes are held back until it is seen to be right. */
export type Expected = { key: string; bytes: number; checksum?: Checksum | undefined };

/**
 * Passes the source on and fails unless exactly the promised bytes came: a file cut short, a broken
 * connection or a disk that gives back something else must never look like a complete object.
 *
 * Nothing is read, and so no error is raised, before the caller reads: a caller may do other work between
 * getting the stream and listening to it. Whoever gets the stream must read it to its end or destroy it.
 */
export function verifiedBody(source: Readable, expected: Expected): Readable {
  const check = expected.checksum === undefined ? undefined : checkAgainst(expected.checksum);
  let started = false;
  let received = 0;
  let held: Buffer | undefined;

  /** Whether more is wanted at once. */
  function pass(chunk: Buffer): boolean {
    if (!check) return body.push(chunk);
    check.update(chunk);
    const before = held;
    held = chunk;
    return before === undefined || body.push(before);
  }

  function end(): void {
    if (received !== expected.bytes) {
      const text = `object storage sent ${received} bytes instead of ${expected.bytes}`;
      body.destroy(new StorageUnavailableError(text));
    } else if (check && !check.isRight()) {
      body.destroy(new ObjectDamagedError(expected.key));
    } else {
      if (held) body.push(held);
      body.push(null);
    }
  }

  const body = new Readable({
    read() {
      if (started) {
        source.resume();
        return;
      }
      started = true;
      finished(source, { writable: false }, (cause) => {
        if (cause) {
          body.destroy(new StorageUnavailableError('object storage broke off while reading', { cause }));
        } else {
          end();
        }
      });
      source.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (!pass(chunk)) source.pause();
      });
    },
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });

  // A source that fails before it is read keeps its error until then instead of ending the process.
  source.on('error', () => {});
  return body;
}
