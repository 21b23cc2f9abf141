import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export type LinkPurpose = 'download' | 'view' | 'thumbnail';

export type LinkClaims = {
  documentId: number;
  user: number;
  /** A higher generation of the user revokes all earlier links. The first, 0, is not part of the signed text. */
  generation?: number | undefined;
  purpose: LinkPurpose;
  /** Unix time in seconds. */
  expires: number;
};

export type SignedLink = LinkClaims & { signature: string };

/** Signatures are compared as text, because base64 decoding ignores some bits. */
export function signLink(key: KeyObject, claims: LinkClaims): string {
  const { documentId, user, purpose, expires, generation } = claims;
  const text = [documentId, user, purpose, expires, ...(generation ? [generation] : [])].join('\n');
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function isGenuineLink(key: KeyObject, link: SignedLink): boolean {
  const expected = Buffer.from(signLink(key, link));
  const given = Buffer.from(link.signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
