import type { PasskeySignInInput } from '@customer-database/contract/passkeys';
import type { Context } from '../../../core/context.ts';
import type { Site } from '../../../http/origin.ts';
import { sealChallenge } from './challenge.ts';
import type { PasskeyRow } from './repo.ts';

/** Loaded when first needed, because it takes 200 ms and 25 MB. */
export const webauthn = () => import('@simplewebauthn/server');

export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports,
});

/** Without `passkeys`, the browser offers those that it has for this site. */
export async function requestAssertion(
  ctx: Context,
  { host }: Site,
  purpose: string,
  passkeys?: PasskeyRow[],
) {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: host,
    userVerification: 'required',
    ...(passkeys && { allowCredentials: passkeys.map(descriptorOf) }),
  });
  return { options, state: sealChallenge(ctx, purpose, options.challenge) };
}

type HandleOwner = { id: number; passkey_handle: string };

/** The user handle that authenticators store. */
export const handleOf = ({ passkey_handle }: HandleOwner): Buffer<ArrayBuffer> =>
  Buffer.from(passkey_handle.replaceAll('-', ''), 'hex');

/** The handle of early passkeys is the id of the user. */
function isHandleOf(user: HandleOwner, userHandle: string): boolean {
  const given = Buffer.from(userHandle, 'base64url');
  return [handleOf(user), Buffer.from(`user:${user.id}`)].some((handle) => handle.equals(given));
}

/** The new counter. Undefined if the signature is not valid or the user handle is another user's. */
export async function verifyAssertion(
  { origin, host }: Site,
  challenge: string,
  user: HandleOwner,
  { credential_id, public_key, counter }: PasskeyRow,
  response: PasskeySignInInput['response'],
): Promise<number | undefined> {
  const { userHandle } = response.response;
  if (userHandle !== undefined && !isHandleOf(user, userHandle)) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
  }).catch(() => undefined);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}
