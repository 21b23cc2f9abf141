import type {
  ChangePasswordInput,
  ConfirmInput,
  LoginInput,
  loginAnswer,
  MfaDisableInput,
  mfaSetupAnswer,
  mfaSetupVerifyAnswer,
  RegisterInput,
  sessionAnswer,
  setupStateAnswer,
  verifyAnswer,
} from '@customer-database/contract/auth';
import {
  type InviteInput,
  inviteAnswer,
  type ProfileInput,
  type profileAnswer,
} from '@customer-database/contract/users';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call, tell } from './client.ts';
import {
  endSession,
  getMfaToken,
  getSession,
  keepMfaToken,
  onSessionChange,
  startSession,
  storedToken,
  updateSessionUser,
} from './session.ts';

/** Thrown by a sign-in with the right password that still needs a code. */
export class MfaRequired extends Error {
  override name = 'MfaRequired';
  readonly code = 'MFA_REQUIRED';

  constructor() {
    super('MFA required');
  }
}

const internalAccess = import.meta.env.VITE_INTERNAL_ACCESS_SECRET;

function begin(answer: z.infer<typeof sessionAnswer>): void {
  startSession({ token: answer.token, user: answer.user }, Boolean(answer.require_password_change));
}

export async function signIn(input: LoginInput): Promise<void> {
  const answer = await call<z.infer<typeof loginAnswer>>('POST', '/api/auth/login', {
    body: input,
    headers: internalAccess ? { 'x-internal-access': internalAccess } : {},
  });
  if ('mfa_required' in answer) {
    keepMfaToken(answer.mfa_token);
    throw new MfaRequired();
  }
  begin(answer);
}

export async function verifyMfaSignIn(code: string): Promise<void> {
  const body = { mfa_token: getMfaToken(), code };
  begin(await call<z.infer<typeof sessionAnswer>>('POST', '/api/auth/mfa/verify-login', { body }));
}

/** Creates the first administrator and signs in with the same email and password. */
export async function register(input: RegisterInput): Promise<void> {
  await tell('POST', '/api/auth/register', { body: input });
  await signIn({ email: input.email, password: input.password });
}

/**
 * Signs out here whatever the server says, and before it says it: a user who leaves has left, and a call that is
 * still under way must not learn from the server that its session has ended.
 */
export async function signOut(): Promise<void> {
  const told = tell('POST', '/api/auth/logout', { keepalive: true });
  endSession('signed out');
  await told.catch(() => undefined);
}

/** The question about the user that is under way: a newer one, a saved profile and the end of the session outdate it. */
let refreshing = new AbortController();
onSessionChange(() => {
  if (!getSession()) refreshing.abort();
});

/** The role or name may have changed since they were saved in this browser. */
export async function refreshUser(): Promise<void> {
  refreshing.abort();
  refreshing = new AbortController();
  const { signal } = refreshing;
  const token = storedToken();
  try {
    const { user } = await call<z.infer<typeof verifyAnswer>>('GET', '/api/auth/verify', { signal });
    if (!signal.aborted) updateSessionUser(user, token);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export const setupStateQuery = queryOptions({
  queryKey: ['auth', 'setup'],
  queryFn: ({ signal }) => call<z.infer<typeof setupStateAnswer>>('GET', '/api/auth/setup', { signal }),
});

export async function saveProfile(input: ProfileInput): Promise<string> {
  const token = storedToken();
  const answer = await call<z.infer<typeof profileAnswer>>('PUT', '/api/auth/profile', { body: input });
  refreshing.abort();
  updateSessionUser(answer.user, token);
  return answer.message;
}

export function changePassword(input: ChangePasswordInput): Promise<unknown> {
  return tell('PUT', '/api/auth/change-password', { body: input });
}

/** Who holds the session proves who they are; the server then takes sensitive changes for a while. */
export function confirm(input: ConfirmInput): Promise<{ message: string }> {
  return call('POST', '/api/auth/confirm', { body: input });
}

export function startMfaSetup(): Promise<z.infer<typeof mfaSetupAnswer>> {
  return call('POST', '/api/auth/mfa/setup/start');
}

export function verifyMfaSetup(code: string): Promise<z.infer<typeof mfaSetupVerifyAnswer>> {
  return call('POST', '/api/auth/mfa/setup/verify', { body: { code } });
}

export function disableMfa(input: MfaDisableInput): Promise<{ message: string }> {
  return call('POST', '/api/auth/mfa/disable', { body: input });
}

/** Tells what else there is to know, such as a password to hand over. */
export async function invite(input: InviteInput): Promise<z.infer<typeof inviteAnswer> | undefined> {
  return inviteAnswer.safeParse(await tell('POST', '/api/auth/invite', { body: input })).data;
}
