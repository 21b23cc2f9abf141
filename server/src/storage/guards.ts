import type { ByteRange } from './port.ts';

const maxKeyLength = 512;
// No part may begin with a dot: that rules out '.' and '..', and reserves dotted names for the drivers.
const keyPart = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}';
const keyPattern = new RegExp(`^${keyPart}(?:/${keyPart})*$`);

export function isObjectKey(text: string): boolean {
  return text.length <= maxKeyLength && keyPattern.test(text);
}

/** The server makes all keys: an invalid key is a bug, not bad input. */
export function assertKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError('storage key is not allowed');
}

export function assertPrefix(prefix: string): void {
  const withoutSlash = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  if (prefix !== '' && !isObjectKey(withoutSlash)) throw new TypeError('storage key prefix is not allowed');
}

export function assertRange(range: ByteRange): void {
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('byte range is not allowed');
  }
}
