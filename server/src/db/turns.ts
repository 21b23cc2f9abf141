import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from './client.ts';
import { NoTurn } from './unavailable.ts';

// More would only share the same processors, and shorter reads would wait with them.
const atOnce = Math.min(2 * availableParallelism(), 8);
// As long as for a connection.
const waitAtMostMs = 5_000;

const turns = new WeakMap<Database, LimitFunction>();

function turnsOf(db: Database): LimitFunction {
  const known = turns.get(db) ?? pLimit(atOnce);
  turns.set(db, known);
  return known;
}

export function searchSlots(db: Database): { running: number; waiting: number } {
  const { activeCount, pendingCount } = turnsOf(db);
  return { running: activeCount, waiting: pendingCount };
}

/** For work that keeps the database busy: a few at once. The others wait, for a while, without a connection. */
export function inTurn<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      reject(new NoTurn(`no turn within ${waitAtMostMs / 1000} s`));
    }, waitAtMostMs);
    void turnsOf(db)(async () => {
      clearTimeout(timer);
      if (!isTooLate) await work().then(resolve, reject);
    });
  });
}
