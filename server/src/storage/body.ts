import { finished, Readable } from 'node:stream';
import { StorageUnavailableError } from './port.ts';

/**
 * Passes the source on and fails unless exactly the promised number of bytes came: a file cut short or a
 * broken connection must never look like a complete object.
 *
 * Nothing is read, and so no error is raised, before the caller reads: a caller may do other work between
 * getting the stream and listening to it. Whoever gets the stream must read it to its end or destroy it.
 */
export function verifiedBody(source: Readable, expectedBytes: number): Readable {
  let started = false;
  let received = 0;

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
        } else if (received !== expectedBytes) {
          const text = `object storage sent ${received} bytes instead of ${expectedBytes}`;
          body.destroy(new StorageUnavailableError(text));
        } else {
          body.push(null);
        }
      });
      source.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (!body.push(chunk)) source.pause();
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
