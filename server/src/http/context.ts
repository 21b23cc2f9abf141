import type { FastifyRequest } from 'fastify';
import { type Context, nobody, type SignedInContext } from '../core/context.ts';
import type { Deps } from '../core/deps.ts';
import { requireSignedIn } from './access.ts';

/** For public routes. */
export function contextOf(deps: Deps, request: FastifyRequest): Context {
  return {
    deps,
    db: deps.db,
    actor: nobody,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
  };
}

export function signedInContextOf(deps: Deps, request: FastifyRequest): SignedInContext {
  const signedIn = requireSignedIn(request);
  const actor = { id: signedIn.user.id, label: signedIn.user.name };
  return { ...contextOf(deps, request), actor, signedIn };
}
