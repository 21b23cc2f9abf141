import { createHmac, timingSafeEqual } from 'node:crypto';

export type LinkPurpose = 'download' | 'view';

export type LinkClaims = {
  documentId: number;
  userId: number;
  /** Of all the links of that user; a newer one makes these worthless. The first, 0, is not written out. */
  generation: number;
  purpose: LinkPurpose;
  /** In whole seconds since 1970. */
  expires: number;
};

/** Text, not bytes: decoding base64 ignores some bits, and every changed bit must kill a link. */
export function signLink(key: Buffer, claims: LinkClaims): string {
  const { documentId, userId, purpose, expires, generation } = claims;
  const text = [documentId, userId, purpose, expires, ...(generation > 0 ? [generation] : [])].join('\n');
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function isGenuineLink(key: Buffer, claims: LinkClaims, signature: string): boolean {
  const expected = Buffer.from(signLink(key, claims));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
