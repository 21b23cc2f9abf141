import { user as userSchema } from '@customer-database/contract/users';
import { useSyncExternalStore } from 'react';
import type { z } from 'zod';

const TOKEN = 'authToken';
const USER = 'user';
const REQUIRE_PASSWORD_CHANGE = 'require_password_change';
const MFA_TOKEN = 'mfa_token';

/** Another server may tell less of its users. */
const sessionUser = userSchema.partial({ id: true, mfa_enabled: true });
export type SessionUser = z.infer<typeof sessionUser>;
export type Session = { token: string; user: SessionUser };

let current = restore();
let signedOutOnPurpose = false;
let lastEmail: string | undefined;
const listeners = new Set<() => void>();

function restore(): Session | undefined {
  const token = localStorage.getItem(TOKEN);
  const saved = localStorage.getItem(USER);
  if (token === null && saved === null) return undefined;
  try {
    if (token === null || saved === null) throw new Error('Token and user must be saved together');
    return { token, user: sessionUser.parse(JSON.parse(saved)) };
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the one trace that a broken saved session leaves
    console.error('The saved session could not be read and was discarded.', error);
    localStorage.removeItem(TOKEN);
    localStorage.removeItem(USER);
    return undefined;
  }
}

function change(next: Session | undefined): void {
  lastEmail = current?.user.email ?? lastEmail;
  current = next;
  for (const listener of listeners) listener();
}

export const getSession = () => current;

/** Read anew for every call: whoever changed or removed it there meant to. */
export const storedToken = () => localStorage.getItem(TOKEN);

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startSession(session: Session, requirePasswordChange: boolean): void {
  localStorage.setItem(TOKEN, session.token);
  localStorage.setItem(USER, JSON.stringify(session.user));
  if (requirePasswordChange) localStorage.setItem(REQUIRE_PASSWORD_CHANGE, '1');
  sessionStorage.removeItem(MFA_TOKEN);
  signedOutOnPurpose = false;
  change(session);
}

/** `token` is the one that the user was asked for with: a late answer may be about somebody before. */
export function updateSessionUser(user: SessionUser, token: string | null): void {
  if (!current || token === null || storedToken() !== token) return;
  localStorage.setItem(USER, JSON.stringify(user));
  change({ ...current, user });
}

export function endSession(reason: 'signed out' | 'expired'): void {
  // Another tab may have signed out, and the server's refusal have been quicker than the news of it.
  signedOutOnPurpose = reason === 'signed out' || storedToken() === null;
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(USER);
  // What was demanded of this user does not concern the next one.
  clearPasswordChangeDemand();
  if (current) change(undefined);
}

/** Whose session was the last to end here; undefined if there was none since the pages were loaded. */
export const lastSessionEmail = () => lastEmail;

/** Who signed out wants to start afresh; who was thrown out wants to go on where they were. */
export const wasSignedOutOnPurpose = () => signedOutOnPurpose;

/** The server refuses everything else until the password is changed. */
export function demandPasswordChange(): void {
  localStorage.setItem(REQUIRE_PASSWORD_CHANGE, '1');
  if (current) change({ ...current });
}

export const isPasswordChangeDemanded = () => localStorage.getItem(REQUIRE_PASSWORD_CHANGE) === '1';

export function clearPasswordChangeDemand(): void {
  localStorage.removeItem(REQUIRE_PASSWORD_CHANGE);
}

export const getMfaToken = () => sessionStorage.getItem(MFA_TOKEN);
export const keepMfaToken = (token: string) => sessionStorage.setItem(MFA_TOKEN, token);

// A sign-in or sign-out in another tab counts here too.
window.addEventListener('storage', ({ key }) => {
  if (key !== TOKEN && key !== USER && key !== null) return;
  signedOutOnPurpose = storedToken() === null;
  if (signedOutOnPurpose) {
    // This tab may have written it again before the news came.
    localStorage.removeItem(USER);
    return change(undefined);
  }
  // The token is written first: only with its user it is a session.
  if (localStorage.getItem(USER) !== null) change(restore());
});

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, getSession);
}

/** Tells users apart, as long as their sessions last. */
export const useUserKey = () => {
  const { id, email } = useUser();
  return id ?? email;
};

/** For screens behind the sign-in; there is always a user. */
export function useUser(): SessionUser {
  const session = useSession();
  if (!session) throw new Error('This screen is shown to signed-in users only');
  return session.user;
}
