import type {
  PasskeyChallengeResponse,
  passkeyListResponse,
  savedPasskeyResponse,
} from '@customer-database/contract/passkeys';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { confirmIdentity } from './auth.ts';
import { call } from './client.ts';
import { answerChallenge, webauthn } from './passkey-sign-in.ts';
import { withReauthentication } from './reauthentication.ts';

/** A browser makes one passkey for each account on a device. */
export const isKnownDevice = (error: unknown) => error instanceof Error && error.name === 'InvalidStateError';

export const passkeyListQuery = queryOptions({
  queryKey: ['auth', 'passkeys'],
  queryFn: ({ signal }) => call<z.infer<typeof passkeyListResponse>>('GET', '/api/auth/passkeys', { signal }),
});

export async function addPasskey(name: string): Promise<void> {
  const { options, state } = await withReauthentication(() =>
    call<PasskeyChallengeResponse>('POST', '/api/auth/passkeys/setup/start'),
  );
  const { startRegistration } = await webauthn();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON });
  await call<z.infer<typeof savedPasskeyResponse>>('POST', '/api/auth/passkeys/setup/verify', {
    body: { state, name, response },
  });
}

/** Allows changes to the second factors in a session that was opened with the password alone. */
export async function confirmWithPasskey(): Promise<void> {
  const { state, response } = await answerChallenge('/api/auth/passkeys/confirm/start');
  const clientExtensionResults = { ...response.clientExtensionResults };
  await confirmIdentity({ passkey: { state, response: { ...response, clientExtensionResults } } });
}

export function renamePasskey(id: number, name: string): Promise<unknown> {
  return call('PUT', `/api/auth/passkeys/${id}`, { body: { name } });
}

export function removePasskey(id: number): Promise<unknown> {
  return withReauthentication(() => call('DELETE', `/api/auth/passkeys/${id}`));
}
