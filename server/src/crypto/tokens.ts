import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 256 random bits; only its hash is ever stored. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** A keyed hash, for values that could be guessed if the plain hash leaked. */
export function fingerprint(key: Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value).digest();
}

export function isSameText(left: string, right: string): boolean {
  return timingSafeEqual(hashToken(left), hashToken(right));
}

// Without lookalikes, since people read these from a screen or paper.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Groups of five legible characters; each group holds almost 25 random bits. */
export function randomLegibleCode(groups: number): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Ignores case, blanks and dashes. */
export function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, '');
}
