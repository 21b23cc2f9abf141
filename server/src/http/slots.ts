import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Slots } from '../metrics/metrics.ts';
import { AppError } from './errors.ts';

/**
 * Limits the concurrency of heavy requests. Others wait with their bodies unread, so that they cost
 * no memory; beyond that they get 503.
 */
export function limitConcurrency(options: { concurrency: number; maxWaiting: number; maxWaitMs: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  function release(): void {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }

  const busy = () =>
    new AppError('BUSY', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 5 });

  function waitForSlot(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1);
        reject(busy());
      }, options.maxWaitMs);
      queue.push(enter);
    });
  }

  return {
    async onRequest(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (running < options.concurrency) running += 1;
      else if (queue.length < options.maxWaiting) await waitForSlot();
      else throw busy();
      if (reply.raw.destroyed) release();
      else reply.raw.once('close', release);
    },
    slots: (): Slots => ({ running, waiting: queue.length }),
  };
}
