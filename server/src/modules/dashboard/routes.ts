import { dashboardResponse } from '@customer-database/contract/dashboard';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { mayAlso } from '../../http/access.ts';
import { signedInContextOf } from '../../http/context.ts';
import { readDashboard } from './commands.ts';
import { presentDashboard } from './present.ts';

export function dashboardRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/dashboard',
      config: { access: 'dashboard.read' },
      schema: {
        operationId: 'getDashboard',
        tags: ['Dashboard'],
        summary: 'Get figures and recent activity',
        response: { 200: dashboardResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        return presentDashboard(await readDashboard(ctx, mayAlso(ctx.signedIn, 'maintenance.read')));
      },
    });
  };
}
