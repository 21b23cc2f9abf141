import { idParams, message, noBody } from '@customer-database/contract/fields';
import * as contract from '@customer-database/contract/users';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { pageCountsOf } from '../../../http/page-counts.ts';
import { resendInvitation, withdrawInvitation } from '../invitations/commands.ts';
import { presentDelivery } from '../passwords/credential-delivery.ts';
import { requireRecentConfirmation } from '../recent-confirmation.ts';
import * as manage from './commands.ts';
import { presentManagedUser } from './present.ts';

const access = 'users.manage';
const tags = ['Users'];

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
        const user = await manage.getUser(ctx, request.params.id);
        return { message: 'User updated successfully', user: presentManagedUser(user) };
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
        const delivered = await resendInvitation(ctx, request.params.id);
        const user = await manage.getUser(ctx, request.params.id);
        return {
          message: 'Invitation sent successfully',
          user: presentManagedUser(user),
          ...presentDelivery(delivered),
        };
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
      config: { access, errors: ['CONFIRMATION_REQUIRED', 'OWN_ACCOUNT', 'LAST_ADMIN'] },
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
        return {
          message: 'User disabled successfully',
          user: presentManagedUser(await manage.getUser(ctx, id)),
        };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/users/:id/enable',
      config: { access, errors: ['CONFIRMATION_REQUIRED'] },
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
        return {
          message: 'User enabled successfully',
          user: presentManagedUser(await manage.getUser(ctx, id)),
        };
      },
    });
  };
}
