import { idParams, noBody } from '@customer-database/contract/fields';
import { changedUserResponse, credentialDeliveryResponse } from '@customer-database/contract/users';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { presentDelivery } from '../passwords/credential-delivery.ts';
import { requireRecentConfirmation } from '../recent-confirmation.ts';
import { getUser, refuseOwnAccount } from './commands.ts';
import { presentManagedUser } from './present.ts';
import { resetMfa, sendNewPassword } from './reset-credentials.ts';

/** For users who lost a password or a phone. */
export function resetRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/users/:id/reset-password',
      config: {
        access: 'users.manage',
        errors: [
          'CONFIRMATION_REQUIRED',
          'OWN_ACCOUNT',
          'LAST_ADMIN',
          'USER_DISABLED',
          'PASSWORD_SIGN_IN_OFF',
        ],
      },
      schema: {
        operationId: 'resetPasswordOfUser',
        tags: ['Users'],
        summary: 'Set a temporary password and end the sessions; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: credentialDeliveryResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { id } = request.params;
        refuseOwnAccount(ctx, id, 'Change your own password on your profile');
        requireRecentConfirmation(ctx);
        const delivered = await sendNewPassword(ctx, id);
        return {
          message: 'Password reset successfully',
          user: presentManagedUser(await getUser(ctx, id)),
          ...presentDelivery(delivered),
        };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/reset-mfa',
      config: { access: 'users.manage', errors: ['CONFIRMATION_REQUIRED', 'OWN_ACCOUNT'] },
      schema: {
        operationId: 'resetMfaOfUser',
        tags: ['Users'],
        summary:
          'Disable MFA, revoke the API tokens and end the sessions; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: changedUserResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { id } = request.params;
        refuseOwnAccount(ctx, id, 'Turn off your own MFA on your profile');
        requireRecentConfirmation(ctx);
        await resetMfa(ctx, id);
        return { message: 'MFA reset successfully', user: presentManagedUser(await getUser(ctx, id)) };
      },
    });
  };
}
