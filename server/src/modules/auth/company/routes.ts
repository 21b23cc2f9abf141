import { companyCallbackQuery, companyStartQuery, sessionResponse } from '@customer-database/contract/auth';
import { noBody } from '@customer-database/contract/fields';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf } from '../../../http/context.ts';
import { setDeviceCookie, withDevice } from '../../../http/device-cookie.ts';
import { notFound } from '../../../http/errors.ts';
import { requireInternalAccess } from '../internal-access.ts';
import { presentSession } from '../present.ts';
import { arrive, depart, finishCompanySignIn, type Outcome } from './commands.ts';
import { arrivals, giveTicket, journeys, takeTicket } from './ticket.ts';

// Two addresses lead a browser on: nothing for programs.
const hide = true;

export function companyRoutes(deps: Deps): FastifyPluginAsyncZod {
  const { companySignIn, publicUrl } = deps.config;

  /** The pages ask for the session themselves: no token is ever in an address. */
  function leadToPages(reply: FastifyReply, outcome: Outcome): FastifyReply {
    giveTicket(deps, reply, arrivals, outcome);
    return reply.redirect(`${publicUrl}/login?company`);
  }

  return async (app) => {
    app.addHook('preHandler', async () => {
      if (!companySignIn) throw notFound();
    });

    app.route({
      method: 'GET',
      url: '/api/auth/oidc/start',
      config: { access: 'public' },
      schema: { hide, querystring: companyStartQuery },
      handler: async (request, reply) => {
        const departure = await depart(contextOf(deps, request), request.query.confirm === 'true');
        if (!('url' in departure)) return leadToPages(reply, departure);
        giveTicket(deps, reply, journeys, departure.journey);
        return reply.redirect(departure.url.href);
      },
    });

    app.route({
      method: 'GET',
      url: '/api/auth/oidc/callback',
      config: { access: 'public' },
      schema: { hide, querystring: companyCallbackQuery },
      handler: async (request, reply) => {
        const journey = takeTicket(deps, request, reply, journeys);
        const answer = new URL(request.url, publicUrl);
        return leadToPages(reply, await arrive(contextOf(deps, request), answer, journey));
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
        summary: "The session of somebody who has just come back from the company's sign-in, once",
        body: noBody,
        response: { 200: sessionResponse },
      },
      preValidation: requireInternalAccess(deps),
      handler: async (request, reply) => {
        const ctx = withDevice(contextOf(deps, request), request);
        const session = await finishCompanySignIn(ctx, takeTicket(deps, request, reply, arrivals));
        setDeviceCookie(deps.config, request, reply, session.deviceToken);
        return presentSession(session);
      },
    });
  };
}
