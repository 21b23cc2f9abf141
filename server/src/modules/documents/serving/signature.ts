import { timingSafeEqual } from 'node:crypto';
import type { Hmac } from '../../../crypto/hmac.ts';

export type LinkPurpose = 'download' | 'view' | 'thumbnail';

export type SignedLink = {
  documentId: number;
  userId: number;
  /** Raising the user's generation revokes all their earlier links. The first, 0, is not part of the signed text. */
  generation: number;
  purpose: LinkPurpose;
  /** Unix time in seconds. */
  expires: number;
};

/** Compared as text: base64 decoding ignores some bits, and any changed bit must invalidate a link. */
export function signLink(hmac: Hmac, link: SignedLink): string {
  const { documentId, userId, purpose, expires, generation } = link;
  const text = [documentId, userId, purpose, expires, ...(generation > 0 ? [generation] : [])].join('\n');
  return hmac(text);
}

export function isGenuineLink(hmac: Hmac, link: SignedLink, signature: string): boolean {
  const expected = Buffer.from(signLink(hmac, link));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
