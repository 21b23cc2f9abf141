import { describedAsInteger } from '@customer-database/contract/fields';
import { z } from 'zod';

export const brokenLink = 'This link is not complete. Open the document again to get a new one.';

// One spelling per number, so that each link has one URL.
const signedNumber = z
  .string({ error: brokenLink })
  .regex(/^[1-9]\d{0,14}$/, brokenLink)
  .transform(Number)
  .meta(describedAsInteger(1, 999_999_999_999_999));

export const linkFields = {
  user: signedNumber,
  generation: signedNumber.optional(),
  expires: signedNumber,
  signature: z.string({ error: brokenLink }).max(100, brokenLink),
};

/** For the calls, besides the content, that a view link allows. */
export const viewLinkQuery = z.strictObject({
  purpose: z.literal('view', { error: brokenLink }),
  ...linkFields,
});
