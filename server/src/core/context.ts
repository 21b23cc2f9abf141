import type { Role } from '@customer-database/contract/permissions';
import type { Database } from '../db/client.ts';
import type { Deps } from './deps.ts';

/** Who does something, as the activity log names them. */
export type Actor = { id: number | null; label: string };

/** What travels with every command. */
export type Context = {
  deps: Deps;
  /** The pool, or the transaction that the command runs in. */
  db: Database;
  actor: Actor;
  address: string | null;
  requestId: string | null;
};

export type SignedIn = {
  sessionId: number;
  /** When they last proved who they are, by signing in or by confirming it. */
  confirmedAt: Date;
  /** Counted up to end all links that this user was given. */
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

export const nobody: Actor = { id: null, label: 'nobody' };
export const theSystem: Actor = { id: null, label: 'system' };

export function systemContext(deps: Deps, actor: Actor = theSystem): Context {
  return { deps, db: deps.db, actor, address: null, requestId: null };
}

/** A change and its activity row belong into one of these. Nothing in it may wait for the network. */
export function inTransaction<C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }));
}
