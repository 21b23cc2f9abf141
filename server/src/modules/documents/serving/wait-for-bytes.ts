import type { Readable } from 'node:stream';

/** Rejects while the headers of an answer are not sent yet, so that what cannot be read is answered as an error. */
export function waitForFirstBytes(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    body.once('error', reject);
    body.once('readable', () => {
      body.off('error', reject);
      resolve();
    });
  });
}
