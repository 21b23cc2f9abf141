import type { sessionResponse } from '@customer-database/contract/auth';
import type { z } from 'zod';
import { signOut, startSessionFrom } from './auth.ts';
import { apiUrl, call } from './client.ts';
import { internalAccess } from './internal-access.ts';

const stateKey = 'sign_in_state';

/** Its cookies belong to the server's own address. */
export const canReachCompany = apiUrl === '';

/** Leaves the pages; `state` is what the sign-in screen knows of where to go afterwards. */
export function leaveForCompany(state: unknown, query = ''): void {
  sessionStorage.setItem(stateKey, JSON.stringify(state ?? null));
  window.location.assign(`/api/auth/oidc/start${query}`);
}

/** For somebody who is signed in and has to show that it is them: a sign-in of a moment ago does. */
export async function signInAgainAtCompany(state: unknown): Promise<void> {
  await signOut();
  leaveForCompany(state, '?confirm=true');
}

export function takeSignInState(): object {
  const text = sessionStorage.getItem(stateKey);
  sessionStorage.removeItem(stateKey);
  return (text && JSON.parse(text)) || {};
}

let finishing: Promise<void> | undefined;

/** Once for each time the pages are loaded: the server gives the session once. */
export function finishCompanySignIn(): Promise<void> {
  finishing ??= call<z.infer<typeof sessionResponse>>('POST', '/api/auth/oidc/finish', {
    headers: internalAccess,
  }).then(startSessionFrom);
  return finishing;
}
