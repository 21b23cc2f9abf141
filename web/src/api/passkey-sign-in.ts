import type { sessionResponse } from '@customer-database/contract/auth';
import type { PasskeyChallengeResponse } from '@customer-database/contract/passkeys';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { z } from 'zod';
import { startSessionFrom } from './auth.ts';
import { call } from './client.ts';
import { internalAccess } from './internal-access.ts';

/** Loaded when a passkey is used. */
export const webauthn = () => import('@simplewebauthn/browser');

/** The user closed the browser's dialog, or let it time out. */
export const isDismissed = (error: unknown) =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Lets the browser answer a challenge of the server. */
export async function answerChallenge(path: string) {
  const { options, state } = await call<PasskeyChallengeResponse>('POST', path);
  const { startAuthentication } = await webauthn();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { state, response: await startAuthentication({ optionsJSON }) };
}

export async function signInWithPasskey(): Promise<void> {
  const body = await answerChallenge('/api/auth/passkeys/sign-in/start');
  startSessionFrom(
    await call<z.infer<typeof sessionResponse>>('POST', '/api/auth/passkeys/sign-in/finish', {
      body,
      headers: internalAccess,
    }),
  );
}
