import * as contract from '@customer-database/contract/users';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { signedInContextOf } from '../../http/context.ts';
import { requireConfirmed } from '../identity/commands.ts';
import { updateProfile } from './commands.ts';
import { inviteUser } from './invite.ts';
import { presentHandover, presentUser } from './present.ts';

export function userRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'PUT',
      url: '/api/auth/profile',
      config: { access: 'profile.manage', errors: ['CONFIRMATION_REQUIRED', 'EMAIL_TAKEN'] },
      schema: {
        operationId: 'updateProfile',
        tags: ['Account'],
        summary:
          'Change your own profile; another email needs a session confirmed lately, and ends the others',
        body: contract.profileInput,
        response: { 200: contract.profileResponse },
      },
      handler: async (request) => {
        const user = await updateProfile(signedInContextOf(deps, request), request.body);
        return { message: 'Profile updated successfully', user: presentUser(user) };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/invite',
      config: { access: 'users.invite', errors: ['CONFIRMATION_REQUIRED', 'EMAIL_TAKEN'] },
      schema: {
        operationId: 'inviteUser',
        tags: ['Users'],
        summary: 'Invite a colleague; in a session that was confirmed lately',
        body: contract.inviteInput,
        response: { 201: contract.inviteResponse },
      },
      handler: async (request, reply) => {
        const ctx = signedInContextOf(deps, request);
        requireConfirmed(ctx);
        const { user, handover } = await inviteUser(ctx, request.body);
        return reply.code(201).send({
          message: 'Invitation sent successfully',
          user: presentUser(user),
          ...presentHandover(handover),
        });
      },
    });
  };
}
