import { type HealthResponse, healthResponse } from '@customer-database/contract/health';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { createHealthChecks } from './checks.ts';
import { metricsRoute } from './metrics-route.ts';

function respond(reply: FastifyReply, isHealthy: boolean): HealthResponse {
  reply.code(isHealthy ? 200 : 503);
  return { status: isHealthy ? 'OK' : 'ERROR' };
}

export function healthRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(metricsRoute(deps));
    const checks = await createHealthChecks(deps);
    const response = { 200: healthResponse, 503: healthResponse };

    app.route({
      method: 'GET',
      url: '/health',
      config: { access: 'public' },
      schema: {
        operationId: 'checkDatabase',
        tags: ['Health'],
        summary: 'Whether the database answers',
        response,
      },
      handler: async (_request, reply) => respond(reply, await checks.database()),
    });

    app.route({
      method: 'GET',
      url: '/health/live',
      config: { access: 'public', answersWhileClosing: true },
      schema: {
        operationId: 'checkLiveness',
        tags: ['Health'],
        summary: 'Whether the process answers',
        response,
      },
      handler: async (_request, reply) => respond(reply, true),
    });

    app.route({
      method: 'GET',
      url: '/health/ready',
      config: { access: 'public', answersWhileClosing: true },
      schema: {
        operationId: 'checkReadiness',
        tags: ['Health'],
        summary: 'Whether load balancers should send requests to this server',
        response,
      },
      handler: async (_request, reply) => respond(reply, await checks.ready()),
    });

    app.route({
      method: 'GET',
      url: '/s3/health',
      config: { access: 'public' },
      schema: {
        operationId: 'checkStorage',
        tags: ['Health'],
        summary: 'Whether the document storage answers',
        response,
      },
      handler: async (_request, reply) => respond(reply, await checks.storage()),
    });
  };
}
