import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from './client.ts';
import { SearchesBusy } from './unavailable.ts';

// More would only share the same processors, and shorter reads would wait with them.
const atOnce = Math.min(2 * availableParallelism(), 8);
// As long as for a connection.
const waitAtMostMs = 5_000;

const slots = new WeakMap<Database, LimitFunction>();

function slotsOf(db: Database): LimitFunction {
  const known = slots.get(db) ?? pLimit(atOnce);
  slots.set(db, known);
  return known;
}

export function searchSlots(db: Database): { running: number; waiting: number } {
  const { activeCount, pendingCount } = slotsOf(db);
  return { running: activeCount, waiting: pendingCount };
}

/** For work that keeps the database busy: a few at once. The others wait, for a while, without a connection. */
export function inSearchSlot<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      reject(new SearchesBusy(`no search slot within ${waitAtMostMs / 1000} s`));
    }, waitAtMostMs);
    void slotsOf(db)(async () => {
      clearTimeout(timer);
      if (!isTooLate) await work().then(resolve, reject);
    });
  });
}
