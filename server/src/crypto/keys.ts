import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** One key per purpose, so that a value made for one is never valid for another. */
export type Keys = {
  links: KeyObject;
  activity: KeyObject;
  secretbox: Buffer;
  setupCode: Buffer;
  fingerprints: Buffer;
};

export function deriveKeys(secretKey: string): Keys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'customer-database', purpose, 32));
  return {
    // Called for every row of a list: with a KeyObject, createHmac takes 3 µs instead of 21.
    links: createSecretKey(derive('links')),
    activity: createSecretKey(derive('activity')),
    secretbox: derive('secretbox'),
    setupCode: derive('setup code'),
    fingerprints: derive('fingerprints'),
  };
}

/** Identifies a key without revealing it. */
export function keyFingerprint(keys: Keys): string {
  return createHmac('sha256', keys.fingerprints).update('this key').digest('hex').slice(0, 32);
}
