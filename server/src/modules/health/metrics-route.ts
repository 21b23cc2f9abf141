import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../../core/deps.ts';
import { hashingUsage } from '../../crypto/passwords.ts';
import type { Database } from '../../db/client.ts';
import { readQueueStats } from '../../jobs/stats.ts';
import { watchMaintenance, watchQueue, watchWaitingDocuments } from '../../metrics/database-gauges.ts';
import { watchProcess } from '../../metrics/process-gauges.ts';
import { searchUsage } from '../../search/limit.ts';
import { readMaintenance } from '../activity/maintenance.ts';
import { countWaiting } from '../documents/text/commands.ts';
import { cached } from './cached.ts';

export function metricsRoute(deps: Deps): FastifyPluginAsyncZod {
  const { metrics, db } = deps;
  metrics.watchLimit('hash', hashingUsage);
  metrics.watchLimit('search', searchUsage);
  const cachedQuery = <T>(read: (from: Database) => Promise<T>, ttlMs: number) =>
    cached<T | undefined>(() => read(db), { ttlMs, timeoutMs: 2_000, fallback: undefined });
  watchQueue(metrics.registry, cachedQuery(readQueueStats, 5_000));
  watchMaintenance(metrics.registry, cachedQuery(readMaintenance, 60_000));
  watchWaitingDocuments(metrics.registry, cachedQuery(countWaiting, 5_000));

  return async (app) => {
    const process = watchProcess(metrics.registry);
    app.addHook('onClose', async () => process.stop());

    app.route({
      method: 'GET',
      url: '/metrics',
      config: { access: 'metrics' },
      schema: {
        operationId: 'getMetrics',
        tags: ['Health'],
        summary: 'Get metrics for Prometheus; from this machine, or with the METRICS_TOKEN',
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
      handler: async (_request, reply) =>
        reply.type(metrics.registry.contentType).send(await metrics.render()),
    });
  };
}
