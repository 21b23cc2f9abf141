import type { WorkerEvents } from 'graphile-worker';

const lookEveryMs = 5_000;
const replaceAfterMs = 10_000;

/**
 * A pool of workers that gives up waits for its end for ever where the outcomes of several jobs could not be saved
 * (graphile-worker counts down once for each of them, but up only once). When none of its workers is left, it is
 * ended for sure; what it still holds is given back as if its server had died. Not before, but at a stop: one that
 * still asks for a job may be given one, and the outcome of a job whose pool has ended ends the whole process.
 *
 * The promise is kept when that takes long, as with a job of hours or a database that does not answer: another pool
 * can then take its place.
 */
export function endForSure(
  events: WorkerEvents,
  areIdle: () => boolean,
  stopping: AbortSignal,
): Promise<void> {
  const takesLong = Promise.withResolvers<void>();
  let workers = 0;
  events.on('worker:create', () => {
    workers += 1;
  });
  events.on('worker:stop', () => {
    workers -= 1;
  });
  events.once('pool:gracefulShutdown', ({ workerPool }) => {
    setTimeout(takesLong.resolve, replaceAfterMs).unref();
    const looking = setInterval(() => {
      if (workers > 0 && !(areIdle() && stopping.aborted)) return;
      clearInterval(looking);
      Promise.resolve(workerPool.forcefulShutdown('It did not end by itself')).catch(() => undefined);
    }, lookEveryMs).unref();
    const hasEnded = () => clearInterval(looking);
    workerPool.promise.then(hasEnded, hasEnded);
  });
  return takesLong.promise;
}
