import { createHmac, hkdfSync } from 'node:crypto';
import { type Hmac, prepareHmac } from './hmac.ts';

/** One key per purpose, so that a value made for one is never valid for another. */
export type Keys = {
  links: Hmac;
  activity: Hmac;
  secretbox: Buffer;
  setupCode: Buffer;
  fingerprints: Buffer;
};

export function deriveKeys(secretKey: string): Keys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'customer-database', purpose, 32));
  return {
    links: prepareHmac(derive('links')),
    activity: prepareHmac(derive('activity')),
    secretbox: derive('secretbox'),
    setupCode: derive('setup code'),
    fingerprints: derive('fingerprints'),
  };
}

/** Identifies a key without revealing it. */
export function keyFingerprint(keys: Keys): string {
  return createHmac('sha256', keys.fingerprints).update('this key').digest('hex').slice(0, 32);
}
