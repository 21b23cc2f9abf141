import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';

export const passkey = z
  .object({
    id: z.int(),
    name: z.string(),
    created_at: field.timestamp,
    last_used_at: field.timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof passkey>;

export const passkeyListResponse = z.object({ passkeys: z.array(passkey) });
export const savedPasskeyResponse = z.object({ message: z.string(), passkey });

export const passkeyChallengeResponse = z.object({
  options: z
    .looseObject({ challenge: z.string() })
    .describe('For navigator.credentials, as WebAuthn defines it in JSON'),
  state: z.string().describe('Send it back with the response of the browser, within 5 minutes'),
});

export type PasskeyChallengeResponse = z.infer<typeof passkeyChallengeResponse>;

const state = field.requiredLine('State', 2000);
const name = field.requiredLine('Name', limits.passkeyNameLength);

const error = 'Response must be the WebAuthn response of the browser';

/** Browsers send far less. */
const encoded = z.string({ error }).max(20_000, { error });

/** The response of the browser, as WebAuthn defines it in JSON; the server's library checks the rest. */
const credentialWith = <Response extends z.ZodRawShape>(response: Response) =>
  z.object(
    {
      id: z.string({ error }).min(1, { error }).max(2000, { error }),
      rawId: encoded,
      type: z.literal('public-key', { error }),
      clientExtensionResults: z.record(z.string(), z.unknown(), { error }),
      authenticatorAttachment: z.enum(['platform', 'cross-platform'], { error }).optional(),
      response: z.object(response, { error }),
    },
    { error },
  );

export const passkeySetupInput = z.strictObject({
  state,
  name,
  response: credentialWith({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string({ error }).max(40, { error }), { error }).max(10, { error }).optional(),
  }),
});
export type PasskeySetupInput = z.infer<typeof passkeySetupInput>;

export const renamePasskeyInput = z.strictObject({ name });

const assertion = {
  state,
  response: credentialWith({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
};
export const passkeySignInInput = z.strictObject(assertion);
export type PasskeySignInInput = z.infer<typeof passkeySignInInput>;

/** Part of the input that confirms a session. */
export const passkeyProof = z.strictObject(assertion, {
  error: 'Passkey must be a state and the WebAuthn response of the browser',
});
