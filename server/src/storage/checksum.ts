import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A SHA-256, or as a number a CRC-32: that one finds damage as well, at next to no cost, but can be forged. */
export type Checksum = Buffer | number;

export type ChecksumCheck = { update(chunk: Buffer): void; isRight(): boolean };

export function checkAgainst(expected: Checksum): ChecksumCheck {
  if (typeof expected === 'number') {
    let value = 0;
    return {
      update(chunk) {
        value = crc32(chunk, value);
      },
      isRight: () => value === expected,
    };
  }
  const hash = createHash('sha256');
  return {
    update(chunk) {
      hash.update(chunk);
    },
    isRight: () => hash.digest().equals(expected),
  };
}
