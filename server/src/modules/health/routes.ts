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

const open = { access: 'public' } as const;
const openWhileClosing = { ...open, answersWhileClosing: true } as const;

export function healthRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(metricsRoute(deps));
    const checks = await createHealthChecks(deps);
    const routes = [
      {
        url: '/health',
        operationId: 'checkDatabase',
        summary: 'Whether the database answers',
        config: open,
        check: checks.database,
      },
      {
        url: '/health/live',
        operationId: 'checkLiveness',
        summary: 'Whether the process answers',
        config: openWhileClosing,
        check: async () => true,
      },
      {
        url: '/health/ready',
        operationId: 'checkReadiness',
        summary: 'Whether load balancers should send requests to this server',
        config: openWhileClosing,
        check: checks.ready,
      },
      {
        url: '/s3/health',
        operationId: 'checkStorage',
        summary: 'Whether the document storage answers',
        config: open,
        check: checks.storage,
      },
    ];
    for (const { url, operationId, summary, config, check } of routes) {
      app.route({
        method: 'GET',
        url,
        config,
        schema: {
          operationId,
          tags: ['Health'],
          summary,
          response: { 200: healthResponse, 503: healthResponse },
        },
        handler: async (_request, reply) => respond(reply, await check()),
      });
    }
  };
}
