import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export type LinkPurpose = 'download' | 'view' | 'thumbnail';

export type SignedLink = {
  documentId: number;
  userId: number;
  /** A higher generation of the user revokes all earlier links. The first, 0, is not part of the signed text. */
  generation: number;
  purpose: LinkPurpose;
  /** Unix time in seconds. */
  expires: number;
};

/** Signatures are compared as text, because base64 decoding ignores some bits. */
export function signLink(key: KeyObject, link: SignedLink): string {
  const { documentId, userId, purpose, expires, generation } = link;
  const text = [documentId, userId, purpose, expires, ...(generation > 0 ? [generation] : [])].join('\n');
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function isGenuineLink(key: KeyObject, link: SignedLink, signature: string): boolean {
  const expected = Buffer.from(signLink(key, link));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
