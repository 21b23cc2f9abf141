import { idParams, message, noBody } from '@customer-database/contract/fields';
import * as contract from '@customer-database/contract/users';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { pageCountsOf } from '../../../http/page-counts.ts';
import { requireRecentConfirmation } from '../access-rules.ts';
import { resendInvitation, withdrawInvitation } from '../invitations/commands.ts';
import { presentDelivery } from '../passwords/temporary-password.ts';
import * as manage from './commands.ts';
import { presentManagedUser } from './present.ts';
import { resetMfa, sendNewPassword } from './reset-credentials.ts';

const access = 'users.manage';
const tags = ['Users'];

const changedUser = async (ctx: Context, id: number, message: string) => ({
  message,
  user: presentManagedUser(await manage.getUser(ctx, id)),
});

export function userRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/users',
      config: { access },
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List users, with search, order and paging',
        querystring: contract.userListQuery,
        response: { 200: contract.userListResponse },
      },
      handler: async (request) => {
        const { users, total } = await manage.listUsers(signedInContextOf(deps, request), request.query);
        return {
          users: users.map(presentManagedUser),
          ...pageCountsOf(users, total, request.query.limit),
        };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/users/:id',
      config: { access },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get a user',
        params: idParams,
        response: { 200: contract.managedUserResponse },
      },
      handler: async (request) => {
        const user = await manage.getUser(signedInContextOf(deps, request), request.params.id);
        return { user: presentManagedUser(user) };
      },
    });

    app.route({
      method: 'PUT',
      url: '/api/users/:id',
      config: { access, errors: ['CONFIRMATION_REQUIRED', 'LAST_ADMIN'] },
      schema: {
        operationId: 'updateUser',
        tags,
        summary: 'Change the name or the role; the role requires a recently confirmed session',
        params: idParams,
        body: contract.updateUserInput,
        response: { 200: contract.changedUserResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        if (request.body.role !== undefined) requireRecentConfirmation(ctx);
        await manage.updateUser(ctx, request.params.id, request.body);
        return changedUser(ctx, request.params.id, 'User updated successfully');
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/resend-invitation',
      config: { access: 'users.invite', errors: ['CONFIRMATION_REQUIRED', 'NO_OPEN_INVITATION'] },
      schema: {
        operationId: 'resendInvitation',
        tags,
        summary: 'Send an invited user a new temporary password; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: contract.credentialDeliveryResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        requireRecentConfirmation(ctx);
        const { id } = request.params;
        const delivered = await resendInvitation(ctx, id);
        const changed = await changedUser(ctx, id, 'Invitation sent successfully');
        return { ...changed, ...presentDelivery(delivered) };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/withdraw-invitation',
      config: { access, errors: ['NO_OPEN_INVITATION'] },
      schema: {
        operationId: 'withdrawInvitation',
        tags,
        summary: 'Remove an account that was never used',
        params: idParams,
        body: noBody,
        response: { 200: message },
      },
      handler: async (request) => {
        await withdrawInvitation(signedInContextOf(deps, request), request.params.id);
        return { message: 'Invitation withdrawn successfully' };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/end-sessions',
      config: { access },
      schema: {
        operationId: 'endSessionsOfUser',
        tags,
        summary: 'End all sessions of a user',
        params: idParams,
        body: noBody,
        response: { 200: message },
      },
      handler: async (request) => {
        await manage.endSessionsOf(signedInContextOf(deps, request), request.params.id);
        return { message: 'Signed out everywhere' };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/disable',
      config: { access: 'users.secure', errors: ['CONFIRMATION_REQUIRED', 'OWN_ACCOUNT', 'LAST_ADMIN'] },
      schema: {
        operationId: 'disableUser',
        tags,
        summary: 'Disables the account and ends its sessions; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: contract.changedUserResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { id } = request.params;
        manage.refuseOwnAccount(ctx, id, 'You cannot disable your own account');
        requireRecentConfirmation(ctx);
        await manage.setUserDisabled(ctx, id, true);
        return changedUser(ctx, id, 'User disabled successfully');
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/enable',
      config: { access: 'users.secure', errors: ['CONFIRMATION_REQUIRED'] },
      schema: {
        operationId: 'enableUser',
        tags,
        summary: 'Enables a disabled account; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: contract.changedUserResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { id } = request.params;
        requireRecentConfirmation(ctx);
        await manage.setUserDisabled(ctx, id, false);
        return changedUser(ctx, id, 'User enabled successfully');
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/reset-password',
      config: {
        access: 'users.secure',
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
        tags,
        summary: 'Set a temporary password and end the sessions; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: contract.credentialDeliveryResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { id } = request.params;
        manage.refuseOwnAccount(ctx, id, 'Change your own password on your profile');
        requireRecentConfirmation(ctx);
        const delivered = await sendNewPassword(ctx, id);
        const changed = await changedUser(ctx, id, 'Password reset successfully');
        return { ...changed, ...presentDelivery(delivered) };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/reset-mfa',
      config: { access: 'users.secure', errors: ['CONFIRMATION_REQUIRED', 'OWN_ACCOUNT'] },
      schema: {
        operationId: 'resetMfaOfUser',
        tags,
        summary:
          'Disable MFA, revoke the API tokens and end the sessions; requires a recently confirmed session',
        params: idParams,
        body: noBody,
        response: { 200: contract.changedUserResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { id } = request.params;
        manage.refuseOwnAccount(ctx, id, 'Turn off your own MFA on your profile');
        requireRecentConfirmation(ctx);
        await resetMfa(ctx, id);
        return changedUser(ctx, id, 'MFA reset successfully');
      },
    });
  };
}
