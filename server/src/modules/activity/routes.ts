import { Readable } from 'node:stream';
import { activityExportQuery, activityQuery } from '@customer-database/contract/activity';
import { activityResponse } from '@customer-database/contract/activity-response';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { signedInContextOf } from '../../http/context.ts';
import { limitRequests } from '../../http/limited-requests.ts';
import { fileBody } from '../../http/operation.ts';
import { exportActivity } from './export.ts';
import { listActivity } from './list.ts';
import { presentActivity } from './present.ts';

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' };

export function activityRoutes(deps: Deps): FastifyPluginAsyncZod {
  const limitExports = limitRequests(deps, 'export', { concurrency: 2, maxWaiting: 8 });
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/activity',
      config: { access: 'activity.read' },
      schema: {
        operationId: 'listActivity',
        tags: ['Activity'],
        summary: 'List the activity log, newest first; all filters must match',
        querystring: activityQuery,
        response: { 200: activityResponse },
      },
      handler: async (request) => {
        const { rows, nextBefore } = await listActivity(signedInContextOf(deps, request), request.query);
        return { activity: rows.map(presentActivity), next_before: nextBefore };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/activity/export',
      config: { access: 'activity.read' },
      onRequest: limitExports,
      schema: {
        operationId: 'exportActivity',
        tags: ['Activity'],
        summary: 'Export the activity log as CSV or JSON lines',
        querystring: activityExportQuery,
        response: {
          200: { content: { 'text/csv': { schema: fileBody }, 'application/jsonl': { schema: fileBody } } },
        },
      },
      handler: async (request, reply) => {
        const { format } = request.query;
        const ctx = signedInContextOf(deps, request);
        // HEAD sends no rows, so there is nothing to record.
        const file = request.method === 'HEAD' ? Readable.from([]) : await exportActivity(ctx, request.query);
        const day = deps.clock.now().toISOString().slice(0, 10);
        return reply
          .header('content-type', contentTypes[format])
          .header('content-disposition', contentDisposition(`activity-${day}.${format}`))
          .send(file);
      },
    });
  };
}
