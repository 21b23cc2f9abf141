import type { WorkerEvents } from 'graphile-worker';

const lookEveryMs = 5_000;

/**
 * A pool of workers that gives up waits for its end for ever where the outcomes of several jobs could not be saved
 * (graphile-worker counts down once for each of them, but up only once). When none of its workers is left, it is
 * ended for sure; what it still holds is given back as if its server had died. Not before: one that still asks for a
 * job may be given one, and the outcome of a job whose pool has ended would end the whole process.
 */
export function endForSure(events: WorkerEvents): void {
  let workers = 0;
  events.on('worker:create', () => {
    workers += 1;
  });
  events.on('worker:stop', () => {
    workers -= 1;
  });
  events.once('pool:gracefulShutdown', ({ workerPool }) => {
    const looking = setInterval(() => {
      if (workers > 0) return;
      clearInterval(looking);
      Promise.resolve(workerPool.forcefulShutdown('It did not end by itself')).catch(() => undefined);
    }, lookEveryMs).unref();
    const hasEnded = () => clearInterval(looking);
    workerPool.promise.then(hasEnded, hasEnded);
  });
}
