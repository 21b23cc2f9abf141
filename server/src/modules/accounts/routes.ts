import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { mfaRoutes } from './mfa/routes.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { userRoutes } from './users/routes.ts';

export function accountRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(signInRoutes(deps));
    await app.register(mfaRoutes(deps));
    await app.register(profileRoutes(deps));
    await app.register(sessionRoutes(deps));
    await app.register(passkeyRoutes(deps));
    await app.register(oidcRoutes(deps));
    await app.register(tokenRoutes(deps));
    await app.register(invitationRoutes(deps));
    await app.register(userRoutes(deps));
  };
}
