import type { WorkerPool } from 'graphile-worker';

const lookEveryMs = 5_000;

/**
 * A pool of workers that gives up waits for its end for ever where the outcomes of several jobs could not be saved
 * (graphile-worker counts down once for each of them, but up only once). When none of its jobs runs any more, it is
 * ended for sure; what it still holds is given back as if its server had died.
 */
export function endForSure(workerPool: WorkerPool, isIdle: () => boolean): void {
  const looking = setInterval(() => {
    if (!isIdle()) return;
    clearInterval(looking);
    Promise.resolve(workerPool.forcefulShutdown('It did not end by itself')).catch(() => undefined);
  }, lookEveryMs).unref();
  const hasEnded = () => clearInterval(looking);
  workerPool.promise.then(hasEnded, hasEnded);
}
