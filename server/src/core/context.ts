import type { Role, TokenScope } from '@customer-database/contract/permissions';
import type { Database } from '../db/client.ts';
import type { Deps } from './deps.ts';

/** As the activity log names them. */
export type Actor = { id: number | null; label: string };

/** Passed to every command. */
export type Context = {
  deps: Deps;
  /** The pool, or the current transaction. */
  db: Database;
  actor: Actor;
  address: string | null;
  userAgent?: string | undefined;
  /** The device cookie of a browser that has signed in before. */
  deviceToken?: string | undefined;
  requestId: string | null;
};

/** The API token of a request without a session. */
export type UsedToken = { id: number; name: string; scope: TokenScope };

export type SignedIn = {
  /** 0 for an API token. */
  sessionId: number;
  token?: UsedToken;
  /** When the user last signed in or confirmed the sign-in. */
  confirmedAt: Date;
  hasSecondFactor: boolean;
  /** An increment revokes all links of this user. */
  linkGeneration: number;
  user: {
    id: number;
    name: string;
    email: string;
    phone_number: string | null;
    role: Role;
    mfa_enabled: boolean;
    must_change_password: boolean;
  };
};

export type SignedInContext = Context & { signedIn: SignedIn };

/** Of public calls. */
export const anonymousActor: Actor = { id: null, label: 'not signed in' };
export const systemActor: Actor = { id: null, label: 'system' };

export function systemContext(deps: Deps, actor: Actor = systemActor): Context {
  return { deps, db: deps.db, actor, address: null, requestId: null };
}

/** For a change and its activity row. The work must not wait for the network. */
export function inTransaction<C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }));
}
