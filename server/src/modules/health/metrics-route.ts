import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../../core/deps.ts';
import { hashingSlots } from '../../crypto/passwords.ts';
import type { Database } from '../../db/client.ts';
import { searchSlots } from '../../db/search-slots.ts';
import { readQueue } from '../../jobs/figures.ts';
import { watchProcess } from '../../metrics/process-figures.ts';
import { watchQueue } from '../../metrics/queue-figures.ts';
import { watchUpkeep } from '../../metrics/upkeep-figures.ts';
import { readUpkeep } from '../activity/upkeep.ts';
import { remembered } from './remembered.ts';

export function metricsRoute(deps: Deps): FastifyPluginAsyncZod {
  const { metrics, db } = deps;
  metrics.watchSlots('hash', hashingSlots);
  metrics.watchSlots('search', () => searchSlots(db));
  const asked = <T>(read: (from: Database) => Promise<T>, forMs: number) =>
    remembered<T | undefined>(() => read(db), { forMs, withinMs: 2_000, otherwise: undefined });
  watchQueue(metrics.registry, asked(readQueue, 5_000));
  watchUpkeep(metrics.registry, asked(readUpkeep, 60_000));

  return async (app) => {
    const process = watchProcess(metrics.registry);
    app.addHook('onClose', async () => process.stop());

    app.route({
      method: 'GET',
      url: '/metrics',
      config: { access: 'metrics' },
      schema: {
        tags: ['Health'],
        summary: 'Figures for Prometheus, for this machine or whoever has the METRICS_TOKEN',
        security: [{ metrics: [] }, {}],
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
      handler: async (_request, reply) =>
        reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    });
  };
}
