import { finished, Readable } from 'node:stream';
import { type Checksum, createVerifier } from './checksum.ts';
import { ObjectDamagedError, StorageUnavailableError } from './port.ts';

/** With a checksum, the reader gets the last chunk only if it matches. */
export type Expected = { key: string; bytes: number; checksum?: Checksum | undefined };

/**
 * Forwards the source and fails unless exactly the expected bytes arrive: a truncated file, a broken
 * connection or a corrupt disk must never look like a complete object.
 *
 * Reads nothing, and so emits no error, before the caller reads. The caller must read the stream to its end or destroy
 * it.
 */
export function verifiedBody(source: Readable, expected: Expected): Readable {
  const check = expected.checksum === undefined ? undefined : createVerifier(expected.checksum);
  let started = false;
  let received = 0;
  let held: Buffer | undefined;

  /** False if the reader wants to pause. */
  function forward(chunk: Buffer): boolean {
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
    } else if (check && !check.matches()) {
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
          body.destroy(
            new StorageUnavailableError('the stream of the object storage was aborted', { cause }),
          );
        } else {
          end();
        }
      });
      source.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (!forward(chunk)) source.pause();
      });
    },
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });

  // Without a listener, a source that fails before it is read would crash the process.
  source.on('error', () => {});
  return body;
}
