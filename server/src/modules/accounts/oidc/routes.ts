import { oidcCallbackQuery, oidcStartQuery, sessionResponse } from '@customer-database/contract/auth';
import { noBody } from '@customer-database/contract/fields';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf } from '../../../http/context.ts';
import { setDeviceCookie, withDevice } from '../../../http/cookies.ts';
import { notFound } from '../../../http/errors.ts';
import { requireInternalAccess } from '../access-rules.ts';
import { presentSession } from '../sessions/present.ts';
import { finishOidcSignIn, handleCallback, startOidcSignIn } from './commands.ts';
import { consumeCookie, resultCookie, type SignInResult, sendCookie, stateCookie } from './state-cookie.ts';

// The calls that redirect a browser are not part of the API description.
const hide = true;

export function oidcRoutes(deps: Deps): FastifyPluginAsyncZod {
  const { oidc, publicUrl } = deps.config;

  /** The login screen then requests the session in a call, because a URL must not contain a token. */
  function redirectToPages(reply: FastifyReply, result: Omit<SignInResult, 'expires'>): FastifyReply {
    sendCookie(deps, reply, resultCookie, result);
    return reply.redirect(`${publicUrl}/login?company`);
  }

  return async (app) => {
    app.addHook('preHandler', async () => {
      if (!oidc) throw notFound();
    });

    app.route({
      method: 'GET',
      url: '/api/auth/oidc/start',
      config: { access: 'public' },
      schema: { hide, querystring: oidcStartQuery },
      handler: async (request, reply) => {
        const started = await startOidcSignIn(contextOf(deps, request), request.query.confirm === 'true');
        if (!('url' in started)) return redirectToPages(reply, started);
        sendCookie(deps, reply, stateCookie, started.state);
        return reply.redirect(started.url.href);
      },
    });

    app.route({
      method: 'GET',
      url: '/api/auth/oidc/callback',
      config: { access: 'public' },
      schema: { hide, querystring: oidcCallbackQuery },
      handler: async (request, reply) => {
        const state = consumeCookie(deps, request, reply, stateCookie);
        const callback = new URL(request.url, publicUrl);
        return redirectToPages(reply, await handleCallback(contextOf(deps, request), callback, state));
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/oidc/finish',
      config: {
        access: 'public',
        errors: ['NOT_FOUND', 'COMPANY_SIGN_IN_FAILED', 'INTERNAL_ACCESS_REQUIRED'],
      },
      schema: {
        operationId: 'finishCompanySignIn',
        tags: ['Sign-in'],
        summary: 'Exchange the result of a company sign-in for a session; works once',
        body: noBody,
        response: { 200: sessionResponse },
      },
      preValidation: requireInternalAccess(deps),
      handler: async (request, reply) => {
        const ctx = withDevice(contextOf(deps, request), request);
        const session = await finishOidcSignIn(ctx, consumeCookie(deps, request, reply, resultCookie));
        setDeviceCookie(deps.config, request, reply, session.deviceToken);
        return presentSession(session);
      },
    });
  };
}
