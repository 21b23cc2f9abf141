import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import type { Database } from './client.ts';
import { isStatementTimeout, SearchesBusy, SearchTooSlow } from './unavailable.ts';

// More would only compete for the same processors and slow down short reads.
const concurrency = Math.min(2 * availableParallelism(), 8);
/** The most that one person may run: the other slots stay free for others. */
const share = concurrency / 2;
// The same as for a connection.
const maxWaitMs = 5_000;

/** Whose search it is; every context says so. */
export type Searcher = { db: Database; actor: { id: number | null } };

type Waiting = { person: number | null; start: () => void };

class SearchSlots {
  readonly #running = new Map<number | null, number>();
  #waiting: Waiting[] = [];

  counts(): { running: number; waiting: number } {
    return { running: this.#total(), waiting: this.#waiting.length };
  }

  async run<T>(person: number | null, work: () => Promise<T>): Promise<T> {
    await this.#enter(person);
    try {
      return await work();
    } finally {
      this.#leave(person);
    }
  }

  #total(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  #runningOf(person: number | null): number {
    return this.#running.get(person) ?? 0;
  }

  #enter(person: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { person, start };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new SearchesBusy(`no search slot within ${maxWaitMs / 1000} s`));
      }, maxWaitMs);
      this.#waiting.push(waiting);
      this.#startNext();
    });
  }

  #leave(person: number | null): void {
    const left = this.#runningOf(person) - 1;
    if (left > 0) this.#running.set(person, left);
    else this.#running.delete(person);
    this.#startNext();
  }

  /** First the person who runs the fewest, then who came first. */
  #startNext(): void {
    if (this.#total() === concurrency) return;
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      const most = next ? this.#runningOf(next.person) : share;
      if (this.#runningOf(waiting.person) < most) next = waiting;
    }
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.set(next.person, this.#runningOf(next.person) + 1);
    next.start();
  }
}

const slots = new WeakMap<Database, SearchSlots>();

function slotsOf(db: Database): SearchSlots {
  const known = slots.get(db) ?? new SearchSlots();
  slots.set(db, known);
  return known;
}

export const searchSlots = (db: Database) => slotsOf(db).counts();

async function withinTime<T>(db: Database, timeoutMs: number, work: (db: Database) => Promise<T>) {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(transaction);
      return work(transaction);
    });
  } catch (error) {
    throw isStatementTimeout(error) ? new SearchTooSlow(`not done in ${timeoutMs} ms`) : error;
  }
}

/** Limits the concurrency of heavy queries. Others wait, for a limited time, without a connection. */
export const inSearchSlot = <T>(
  { db, actor }: Searcher,
  work: (db: Database) => Promise<T>,
  timeoutMs?: number,
): Promise<T> =>
  slotsOf(db).run(actor.id, () => (timeoutMs === undefined ? work(db) : withinTime(db, timeoutMs, work)));
