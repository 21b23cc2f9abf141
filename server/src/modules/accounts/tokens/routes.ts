import { idParams, message } from '@customer-database/contract/fields';
import * as contract from '@customer-database/contract/tokens';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { ownAccount } from '../access-rules.ts';
import { createToken, listTokens, revokeToken } from './commands.ts';
import { presentToken } from './present.ts';

const tags = ['Account'];

export function tokenRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/tokens',
      config: { access: ownAccount.withoutSecondFactor },
      schema: {
        operationId: 'listApiTokens',
        tags,
        summary: 'List your API tokens',
        response: { 200: contract.apiTokenListResponse },
      },
      handler: async (request) => {
        const tokens = await listTokens(signedInContextOf(deps, request));
        return { api_tokens: tokens.map(presentToken) };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/tokens',
      config: { access: 'profile.manage', errors: ['CONFIRMATION_REQUIRED', 'CONFLICT'] },
      schema: {
        operationId: 'createApiToken',
        tags,
        summary: 'Create an API token, shown once; requires a recently confirmed session',
        body: contract.apiTokenInput,
        response: { 201: contract.createdApiTokenResponse },
      },
      handler: async (request, reply) => {
        const { token, row } = await createToken(signedInContextOf(deps, request), request.body);
        return reply
          .code(201)
          .send({ message: 'Token created successfully', token, api_token: presentToken(row) });
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api/auth/tokens/:id',
      config: { access: ownAccount.withoutSecondFactor },
      schema: {
        operationId: 'revokeApiToken',
        tags,
        summary: 'Revoke one of your API tokens',
        params: idParams,
        response: { 200: message },
      },
      handler: async (request) => {
        await revokeToken(signedInContextOf(deps, request), request.params.id);
        return { message: 'Token revoked successfully' };
      },
    });
  };
}
