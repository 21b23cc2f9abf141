import * as contract from '@customer-database/contract/users';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { requireRecentConfirmation } from '../access-rules.ts';
import { presentDelivery } from '../passwords/temporary-password.ts';
import { presentUser } from '../present.ts';
import { inviteUser } from './commands.ts';

export function invitationRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/invite',
      config: { access: 'users.invite', errors: ['CONFIRMATION_REQUIRED', 'EMAIL_TAKEN'] },
      schema: {
        operationId: 'inviteUser',
        tags: ['Users'],
        summary: 'Invite a user; requires a recently confirmed session',
        body: contract.inviteInput,
        response: { 201: contract.inviteResponse },
      },
      handler: async (request, reply) => {
        const ctx = signedInContextOf(deps, request);
        requireRecentConfirmation(ctx);
        const { user, delivered } = await inviteUser(ctx, request.body);
        return reply.code(201).send({
          message: 'Invitation sent successfully',
          user: presentUser(user),
          ...presentDelivery(delivered),
        });
      },
    });
  };
}
