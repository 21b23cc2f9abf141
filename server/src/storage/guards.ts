import type { ByteRange } from './port.ts';

const MAX_KEY_LENGTH = 512;
// No part may begin with a dot: that rules out '.' and '..', and leaves dotted names to the drivers.
const PART = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}';
const KEY = new RegExp(`^${PART}(?:/${PART})*$`);

export function isObjectKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && KEY.test(text);
}

/** Keys are made by this server, so a bad one is a mistake in the code, not in anyone's input. */
export function refuseBadKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError('storage key is not allowed');
}

export function refuseBadPrefix(prefix: string): void {
  const withoutSlash = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  if (prefix !== '' && !isObjectKey(withoutSlash)) throw new TypeError('storage key prefix is not allowed');
}

export function refuseBadRange(range: ByteRange): void {
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('byte range is not allowed');
  }
}
