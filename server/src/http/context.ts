import type { FastifyRequest } from 'fastify';
import {
  type Actor,
  anonymousActor,
  type Context,
  type SignedIn,
  type SignedInContext,
} from '../core/context.ts';
import type { Deps } from '../core/deps.ts';
import { requireSignedIn } from './access.ts';

/** For public routes. */
export function contextOf(deps: Deps, request: FastifyRequest): Context {
  return {
    deps,
    db: deps.db,
    actor: anonymousActor,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
  };
}

/** The activity log shows whether an API token was used. */
export const actorOf = ({ user, token }: SignedIn): Actor => ({
  id: user.id,
  label: token ? `${user.name} (token ${token.name})` : user.name,
});

export function signedInContextOf(deps: Deps, request: FastifyRequest): SignedInContext {
  const signedIn = requireSignedIn(request);
  return { ...contextOf(deps, request), actor: actorOf(signedIn), signedIn };
}
