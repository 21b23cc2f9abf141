import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ivLength = 12;
const tagLength = 16;

/** Encrypts for storage; the result opens only with the same `purpose`. */
export function seal(key: Buffer, purpose: string, plain: string): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

export function open(key: Buffer, purpose: string, sealed: Buffer): string {
  const iv = sealed.subarray(0, ivLength);
  const tag = sealed.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(tag);
  return decipher.update(sealed.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
}

/** For values that a browser keeps: no table grows with each of them. They open until they expire. */
export function sealUntil(key: Buffer, purpose: string, fields: object, expires: number): string {
  return seal(key, purpose, JSON.stringify({ ...fields, expires })).toString('base64url');
}

/** The fields, unchecked. Undefined if they are forged, sealed for another purpose, or expired. */
export function openUnexpired(key: Buffer, purpose: string, sealed: string, now: Date): unknown {
  try {
    const fields = JSON.parse(open(key, purpose, Buffer.from(sealed, 'base64url')));
    return fields.expires > now.getTime() ? fields : undefined;
  } catch {
    return undefined;
  }
}
