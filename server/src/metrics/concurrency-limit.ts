import pLimit from 'p-limit';

/** Too much work waits, or it waited for too long. */
export class ConcurrencyLimitError extends Error {
  override name = 'ConcurrencyLimitError';
}

export type LimitUsage = { running: number; waiting: number };

export type ConcurrencyLimit = {
  run<T>(work: () => Promise<T>): Promise<T>;
  usage(): LimitUsage;
};

type Options = { concurrency: number; maxWaiting: number; maxWaitMs: number };

/** Runs some work at once and lets the rest wait, in the order of its arrival. */
export function createConcurrencyLimit({ concurrency, maxWaiting, maxWaitMs }: Options): ConcurrencyLimit {
  const limit = pLimit(concurrency);
  // Without the work that no longer waits, which stays in the queue of p-limit until its turn.
  let admitted = 0;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (admitted >= concurrency + maxWaiting) throw new ConcurrencyLimitError(`${maxWaiting} wait already`);
    admitted += 1;
    return new Promise((resolve, reject) => {
      let hasTimedOut = false;
      const timer = setTimeout(() => {
        hasTimedOut = true;
        admitted -= 1;
        reject(new ConcurrencyLimitError(`not begun within ${maxWaitMs / 1000} s`));
      }, maxWaitMs);
      limit(async () => {
        if (hasTimedOut) return;
        clearTimeout(timer);
        await work()
          .finally(() => {
            admitted -= 1;
          })
          .then(resolve, reject);
      });
    });
  }

  return { run, usage: () => ({ running: limit.activeCount, waiting: admitted - limit.activeCount }) };
}
