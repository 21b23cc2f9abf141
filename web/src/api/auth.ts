import type {
  ChangePasswordInput,
  ConfirmInput,
  LoginInput,
  MfaDisableInput,
  MfaSetupResponse,
  mfaSetupVerifyResponse,
  RegisterInput,
  SessionListResponse,
  SessionResponse,
  setupStateResponse,
} from '@customer-database/contract/auth';
import {
  type InviteInput,
  inviteResponse,
  type ProfileInput,
  type profileResponse,
} from '@customer-database/contract/users';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call, callUntyped } from './client.ts';
import { internalAccess } from './internal-access.ts';
import {
  endSession,
  getMfaToken,
  getSession,
  onSessionChange,
  saveMfaToken,
  startSession,
  storedToken,
  updateSessionUser,
} from './session.ts';

/** Thrown by a sign-in whose password is right but that still needs a code. */
export class MfaRequired extends Error {
  override name = 'MfaRequired';
  readonly code = 'MFA_REQUIRED';

  constructor() {
    super('MFA required');
  }
}

export function startSessionFrom(answer: SessionResponse): void {
  startSession(answer, Boolean(answer.require_password_change));
}

export async function signIn(input: LoginInput): Promise<void> {
  const answer = await call<SessionResponse & { mfa_required?: boolean; mfa_token?: string }>(
    'POST',
    '/api/auth/login',
    { body: input, headers: internalAccess },
  );
  // Another server may say that no code is required.
  if (answer.mfa_required) {
    saveMfaToken(answer.mfa_token ?? '');
    throw new MfaRequired();
  }
  startSessionFrom(answer);
}

export async function verifyMfaSignIn(code: string): Promise<void> {
  const body = { mfa_token: getMfaToken(), code };
  const answer = await call<SessionResponse>('POST', '/api/auth/mfa/verify-login', {
    body,
    headers: internalAccess,
  });
  startSessionFrom(answer);
}

/** Creates the first administrator and signs in with the same email and password. */
export async function register(input: RegisterInput): Promise<void> {
  await callUntyped('POST', '/api/auth/register', { body: input });
  await signIn({ email: input.email, password: input.password });
}

/**
 * Ends the local session without waiting for the server: signing out always succeeds, and a call still in flight
 * must not learn from the server that its session has ended.
 */
export async function signOut(): Promise<void> {
  const request = callUntyped('POST', '/api/auth/logout', { keepalive: true });
  endSession('signed out');
  await request.catch(() => undefined);
}

/** Aborts the refresh in flight when a newer one starts, the profile is saved or the session ends. */
let refreshing = new AbortController();
onSessionChange(() => {
  if (!getSession()) refreshing.abort();
});

/** The role or name may have changed since this browser stored them. */
export async function refreshUser(): Promise<void> {
  refreshing.abort();
  refreshing = new AbortController();
  const { signal } = refreshing;
  const token = storedToken();
  try {
    const answer = await callUntyped('GET', '/api/auth/verify', { signal });
    if (!signal.aborted) updateSessionUser(answer, token);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export type SetupState = z.infer<typeof setupStateResponse>;

export const setupStateQuery = queryOptions({
  queryKey: ['auth', 'setup'],
  queryFn: ({ signal }) => call<SetupState>('GET', '/api/auth/setup', { signal }),
});

export async function saveProfile(input: ProfileInput): Promise<string> {
  const token = storedToken();
  const answer = await call<z.infer<typeof profileResponse>>('PUT', '/api/auth/profile', { body: input });
  refreshing.abort();
  updateSessionUser(answer, token);
  return answer.message;
}

export function changePassword(input: ChangePasswordInput): Promise<unknown> {
  return callUntyped('PUT', '/api/auth/change-password', { body: input });
}

/** Re-authenticates the user; the server then accepts sensitive changes for a while. */
export function confirmIdentity(input: ConfirmInput): Promise<{ message: string }> {
  return call('POST', '/api/auth/confirm', { body: input });
}

export function startMfaSetup(): Promise<MfaSetupResponse> {
  return call('POST', '/api/auth/mfa/setup/start');
}

export function verifyMfaSetup(code: string): Promise<z.infer<typeof mfaSetupVerifyResponse>> {
  return call('POST', '/api/auth/mfa/setup/verify', { body: { code } });
}

export function disableMfa(input: MfaDisableInput): Promise<{ message: string }> {
  return call('POST', '/api/auth/mfa/disable', { body: input });
}

export const sessionListQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: ({ signal }) => call<SessionListResponse>('GET', '/api/auth/sessions', { signal }),
});

export function endOwnSession(id: number): Promise<{ message: string }> {
  return call('DELETE', `/api/auth/sessions/${id}`);
}

export function endOtherSessions(revokesTokens: boolean): Promise<{ message: string }> {
  return call('DELETE', `/api/auth/sessions${revokesTokens ? '?revoke_tokens=true' : ''}`);
}

/** Returns details such as a temporary password to hand over, if the server sends them. */
export async function invite(input: InviteInput): Promise<z.infer<typeof inviteResponse> | undefined> {
  return inviteResponse.safeParse(await callUntyped('POST', '/api/auth/invite', { body: input })).data;
}
