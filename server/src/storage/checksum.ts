import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A SHA-256, or a CRC-32 as a number: that one detects damage at almost no cost, but can be forged. */
export type Checksum = Buffer | number;

export type ChecksumVerifier = { update(chunk: Buffer): void; matches(): boolean };

export function createVerifier(expected: Checksum): ChecksumVerifier {
  if (typeof expected === 'number') {
    let value = 0;
    return {
      update(chunk) {
        value = crc32(chunk, value);
      },
      matches: () => value === expected,
    };
  }
  const hash = createHash('sha256');
  return {
    update(chunk) {
      hash.update(chunk);
    },
    matches: () => hash.digest().equals(expected),
  };
}
