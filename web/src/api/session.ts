import { isAllowed, type Permission, roles } from '@customer-database/contract/permissions';
import { createContext, useContext } from 'react';
import { z } from 'zod';
import { createStore, useStore } from '../lib/store.ts';

const tokenKey = 'authToken';
const userKey = 'user';
const passwordChangeKey = 'require_password_change';
const mfaTokenKey = 'mfa_token';

/** Another server may leave out fields, or return other types. */
const sessionUser = z.object({
  email: z.string().min(1),
  role: z.enum(roles),
  id: z.int().optional().catch(undefined),
  name: z.string().catch(''),
  phone_number: z.string().nullable().catch(null),
  mfa_enabled: z.boolean().optional().catch(undefined),
});
const answeredUser = z.object({ user: z.record(z.string(), z.unknown()) });
export type SessionUser = z.infer<typeof sessionUser>;
export type Session = {
  token: string;
  user: SessionUser;
  /** The server rejects all other calls until the user has set up a second factor. */
  mustSetUpMfa?: boolean;
};

const store = createStore(readStoredSession());
let signedOutOnPurpose = false;
let lastEmail: string | undefined;

function readStoredSession(): Session | undefined {
  const token = localStorage.getItem(tokenKey);
  const storedUser = localStorage.getItem(userKey);
  if (token === null && storedUser === null) return undefined;
  try {
    if (token === null || storedUser === null) throw new Error('Token and user must be saved together');
    return { token, user: sessionUser.parse(JSON.parse(storedUser)) };
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the only trace of a corrupt stored session
    console.error('The saved session could not be read and was discarded.', error);
    localStorage.removeItem(tokenKey);
    localStorage.removeItem(userKey);
    return undefined;
  }
}

function setCurrent(next: Session | undefined): void {
  lastEmail = getSession()?.user.email ?? lastEmail;
  store.set(next);
}

export const getSession = store.get;
export const onSessionChange = store.subscribe;
export const useSession = () => useStore(store, (session) => session);

/** Read for every call, because another tab may have changed or removed it. */
export const storedToken = () => localStorage.getItem(tokenKey);

const startedSession = z.object({ token: z.string().min(1), user: sessionUser });

/** Throws if the answer to a sign-in is no session. */
export function startSession(answer: unknown, mustChangePassword: boolean): void {
  const session = startedSession.parse(answer);
  localStorage.setItem(tokenKey, session.token);
  localStorage.setItem(userKey, JSON.stringify(session.user));
  if (mustChangePassword) localStorage.setItem(passwordChangeKey, '1');
  sessionStorage.removeItem(mfaTokenKey);
  signedOutOnPurpose = false;
  setCurrent(session);
}

/**
 * `token` is the one the call was sent with: a late response may be about the previous user. Fields that the answer
 * lacks keep their values.
 */
export function updateSessionUser(answer: unknown, token: string | null): void {
  const current = getSession();
  if (!current || token === null || storedToken() !== token) return;
  const { user: changes } = answeredUser.safeParse(answer).data ?? {};
  const user = sessionUser.safeParse({ ...current.user, ...changes }).data;
  if (!user) return;
  localStorage.setItem(userKey, JSON.stringify(user));
  setCurrent({ ...current, user });
}

export function endSession(reason: 'signed out' | 'expired'): void {
  // Another tab may have signed out, and the 401 arrived before the storage event.
  signedOutOnPurpose = reason === 'signed out' || storedToken() === null;
  localStorage.removeItem(tokenKey);
  localStorage.removeItem(userKey);
  // The next user does not inherit this requirement.
  clearPasswordChangeRequired();
  if (getSession()) setCurrent(undefined);
}

/** The user of the last session that ended; undefined if none has since the page was loaded. */
export const lastSessionEmail = () => lastEmail;

/** After signing out, users start afresh; after an expired session, they return to where they were. */
export const wasSignedOutOnPurpose = () => signedOutOnPurpose;

function changeSession(changes: Partial<Session>): void {
  const current = getSession();
  if (current) setCurrent({ ...current, ...changes });
}

/** The server rejects all other calls until the password is changed. */
export function requirePasswordChange(): void {
  localStorage.setItem(passwordChangeKey, '1');
  changeSession({});
}

export const requireMfaSetup = () => changeSession({ mustSetUpMfa: true });

/** The redirect to the setup has happened. */
export const clearMfaSetupRequired = () => changeSession({ mustSetUpMfa: false });

export const isPasswordChangeRequired = () => localStorage.getItem(passwordChangeKey) === '1';

export function clearPasswordChangeRequired(): void {
  localStorage.removeItem(passwordChangeKey);
}

export const getMfaToken = () => sessionStorage.getItem(mfaTokenKey);
export const saveMfaToken = (token: string) => sessionStorage.setItem(mfaTokenKey, token);

// Follows sign-ins and sign-outs in other tabs.
window.addEventListener('storage', ({ key }) => {
  if (key !== tokenKey && key !== userKey && key !== null) return;
  signedOutOnPurpose = storedToken() === null;
  if (signedOutOnPurpose) {
    // This tab may have written it again before the event arrived.
    localStorage.removeItem(userKey);
    return setCurrent(undefined);
  }
  // The token is written first; wait for the user.
  if (localStorage.getItem(userKey) !== null) setCurrent(readStoredSession());
});

/** Identifies the user for the length of the session. */
export const userKeyOf = ({ id, email }: SessionUser) => id ?? email;
export const useUserKey = () => userKeyOf(useUser());

/** The user for one whole rendering: the session may end while React renders. */
export const SignedInUser = createContext<SessionUser | undefined>(undefined);

/** For screens behind the sign-in, where there is always a user. */
export function useUser(): SessionUser {
  const user = useContext(SignedInUser);
  if (!user) throw new Error('This screen is shown to signed-in users only');
  return user;
}

/** Whether the role of the signed-in user permits it. */
export const useIsAllowed = (permission: Permission) => isAllowed(useUser().role, permission);

/** Another server may know no name. */
export const displayName = ({ name, email }: SessionUser) => name || email;
