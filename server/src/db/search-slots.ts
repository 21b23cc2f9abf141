import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from './client.ts';
import { SearchesBusy } from './unavailable.ts';

// More would only compete for the same processors and slow down short reads.
const concurrency = Math.min(2 * availableParallelism(), 8);
// The same as for a connection.
const maxWaitMs = 5_000;

const slots = new WeakMap<Database, LimitFunction>();

function slotsOf(db: Database): LimitFunction {
  const known = slots.get(db) ?? pLimit(concurrency);
  slots.set(db, known);
  return known;
}

export function searchSlots(db: Database): { running: number; waiting: number } {
  const { activeCount, pendingCount } = slotsOf(db);
  return { running: activeCount, waiting: pendingCount };
}

/** Limits the concurrency of heavy queries. Others wait, for a limited time, without a connection. */
export function inSearchSlot<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      reject(new SearchesBusy(`no search slot within ${maxWaitMs / 1000} s`));
    }, maxWaitMs);
    void slotsOf(db)(async () => {
      clearTimeout(timer);
      if (!hasTimedOut) await work().then(resolve, reject);
    });
  });
}
