import type {
  PasskeyChallengeResponse,
  passkeyListResponse,
  savedPasskeyResponse,
} from '@customer-database/contract/passkeys';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { confirmIdentity } from './auth.ts';
import { call } from './client.ts';
import { webauthn } from './passkey-sign-in.ts';
import { withReauthentication } from './reauthentication.ts';

/** The browser does not make two for one account on one device. */
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

/** Opens changes to the second factors to a session of the password alone. */
export async function confirmWithPasskey(): Promise<void> {
  const { options, state } = await call<PasskeyChallengeResponse>('POST', '/api/auth/passkeys/confirm/start');
  const { startAuthentication } = await webauthn();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  const clientExtensionResults = { ...response.clientExtensionResults };
  await confirmIdentity({ passkey: { state, response: { ...response, clientExtensionResults } } });
}

export function renamePasskey(id: number, name: string): Promise<unknown> {
  return call('PUT', `/api/auth/passkeys/${id}`, { body: { name } });
}

export function removePasskey(id: number): Promise<unknown> {
  return withReauthentication(() => call('DELETE', `/api/auth/passkeys/${id}`));
}
