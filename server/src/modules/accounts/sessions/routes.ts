import { endOtherSessionsQuery, sessionListResponse } from '@customer-database/contract/auth';
import { idParams, message } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { ownAccount } from '../access-rules.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './commands.ts';
import { presentOpenSession } from './present.ts';

export function sessionRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/sessions',
      config: { access: ownAccount.withoutSecondFactor },
      schema: {
        operationId: 'listOwnSessions',
        tags: ['Account'],
        summary: 'List your open sessions',
        response: { 200: sessionListResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const sessions = await listOwnSessions(ctx);
        return { sessions: sessions.map((session) => presentOpenSession(session, ctx.signedIn.sessionId)) };
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api/auth/sessions/:id',
      config: { access: ownAccount.withoutSecondFactor },
      schema: {
        operationId: 'endOwnSession',
        tags: ['Account'],
        summary: 'End one of your sessions',
        params: idParams,
        response: { 200: message },
      },
      handler: async (request) => {
        await endOwnSession(signedInContextOf(deps, request), request.params.id);
        return { message: 'Session ended' };
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api/auth/sessions',
      config: { access: ownAccount.withoutSecondFactor },
      schema: {
        operationId: 'endOtherSessions',
        tags: ['Account'],
        summary: 'End all your other sessions',
        querystring: endOtherSessionsQuery,
        response: { 200: message },
      },
      handler: async (request) => {
        const revokesTokens = request.query.revoke_tokens === 'true';
        await endOtherSessions(signedInContextOf(deps, request), { revokesTokens });
        return { message: 'Signed out everywhere else' };
      },
    });
  };
}
