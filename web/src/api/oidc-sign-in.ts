import type { sessionResponse } from '@customer-database/contract/auth';
import type { z } from 'zod';
import { signOut, startSessionFrom } from './auth.ts';
import { apiUrl, call } from './client.ts';
import { internalAccess } from './internal-access.ts';

const stateKey = 'sign_in_state';

/** The cookies of the sign-in belong to the origin of the server. */
export const canUseOidc = apiUrl === '';

/** Leaves the application; `state` says where to go after the sign-in. */
export function startOidcSignIn(state: unknown, query = ''): void {
  sessionStorage.setItem(stateKey, JSON.stringify(state ?? null));
  window.location.assign(`/api/auth/oidc/start${query}`);
}

/** Confirms the identity of a signed-in user by a new sign-in. */
export async function signInAgainWithOidc(state: unknown): Promise<void> {
  await signOut();
  startOidcSignIn(state, '?confirm=true');
}

export function takeSignInState(): object {
  const text = sessionStorage.getItem(stateKey);
  sessionStorage.removeItem(stateKey);
  return (text && JSON.parse(text)) || {};
}

let finishing: Promise<void> | undefined;

/** Runs once per page load, because the server returns the session once. */
export function finishOidcSignIn(): Promise<void> {
  finishing ??= call<z.infer<typeof sessionResponse>>('POST', '/api/auth/oidc/finish', {
    headers: internalAccess,
  }).then(startSessionFrom);
  return finishing;
}
