import type { sessionResponse } from '@customer-database/contract/auth';
import type { PasskeyChallengeResponse } from '@customer-database/contract/passkeys';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { z } from 'zod';
import { startSessionFrom } from './auth.ts';
import { call } from './client.ts';
import { internalAccess } from './internal-access.ts';

/** Only where people use passkeys. */
export const webauthn = () => import('@simplewebauthn/browser');

/** The user closed the browser's dialog, or let it time out. */
export const isDismissed = (error: unknown) =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

export async function signInWithPasskey(): Promise<void> {
  const { options, state } = await call<PasskeyChallengeResponse>('POST', '/api/auth/passkeys/sign-in/start');
  const { startAuthentication } = await webauthn();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  startSessionFrom(
    await call<z.infer<typeof sessionResponse>>('POST', '/api/auth/passkeys/sign-in/finish', {
      body: { state, response },
      headers: internalAccess,
    }),
  );
}
