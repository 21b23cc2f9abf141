import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Slots } from '../metrics/metrics.ts';
import { AppError } from './errors.ts';

/**
 * Lets a few requests of a heavy kind in at once. The next ones wait with their bodies unread, so
 * that they cost no memory; those beyond are told to come back.
 */
export function limitConcurrency(options: { atOnce: number; waiting: number; maxWaitMs: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  function release(): void {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }

  const busy = () =>
    new AppError('BUSY', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 5 });

  function takeTurn(): Promise<void> {
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
      if (running < options.atOnce) running += 1;
      else if (queue.length < options.waiting) await takeTurn();
      else throw busy();
      if (reply.raw.destroyed) release();
      else reply.raw.once('close', release);
    },
    slots: (): Slots => ({ running, waiting: queue.length }),
  };
}
