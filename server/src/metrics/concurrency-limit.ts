import pLimit, { type LimitFunction } from 'p-limit';

/** Too many tasks wait, or this one waited too long. */
export class ConcurrencyLimitError extends Error {
  override name = 'ConcurrencyLimitError';
}

export type LimitUsage = { running: number; waiting: number };

export type ConcurrencyLimit = {
  run<T>(work: () => Promise<T>): Promise<T>;
  usage(): LimitUsage;
};

// How many processes of this server share each limit.
let sharers = 1;

/** Before the first use of any limit. */
export function shareLimits(processes: number): void {
  sharers = processes;
}

const shareOf = (whole: number) => Math.max(1, Math.floor(whole / sharers));

type Options = { concurrency: number; maxWaiting: number; maxWaitMs: number };

/** Runs `concurrency` tasks at once; others wait in the order of their arrival. */
export function createConcurrencyLimit({ concurrency, maxWaiting, maxWaitMs }: Options): ConcurrencyLimit {
  let limit: LimitFunction | undefined;
  const queue = () => (limit ??= pLimit(shareOf(concurrency)));
  // Excludes tasks that timed out, which stay in the queue of p-limit until their turn.
  let admitted = 0;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    const most = shareOf(concurrency) + shareOf(maxWaiting);
    if (admitted >= most) throw new ConcurrencyLimitError(`${admitted} run or wait already`);
    admitted += 1;
    return new Promise((resolve, reject) => {
      let hasTimedOut = false;
      const timer = setTimeout(() => {
        hasTimedOut = true;
        admitted -= 1;
        reject(new ConcurrencyLimitError(`not started within ${maxWaitMs / 1000} s`));
      }, maxWaitMs);
      queue()(async () => {
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

  function usage(): LimitUsage {
    const { activeCount: running } = queue();
    return { running, waiting: admitted - running };
  }

  return { run, usage };
}
