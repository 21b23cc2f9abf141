import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../core/deps.ts';
import { createConcurrencyLimit } from '../metrics/concurrency-limit.ts';

/**
 * Returns an onRequest hook that limits the concurrency of heavy requests. Those that wait keep their bodies unread, so
 * that they cost no memory.
 */
export function limitRequests(
  { config, metrics }: Deps,
  kind: string,
  options: { concurrency: number; maxWaiting: number },
) {
  // A waiting client sends nothing, and must get 'busy' before its connection times out.
  const maxWaitMs = Math.min(30_000, config.requestTimeoutMs / 2);
  const limit = createConcurrencyLimit({ ...options, maxWaitMs });
  metrics.watchLimit(kind, limit.usage);
  return (_request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> =>
    new Promise((resolve, reject) => {
      const untilClosed = async () => {
        resolve();
        if (!response.destroyed) await once(response, 'close');
      };
      limit.run(untilClosed).catch(reject);
    });
}
