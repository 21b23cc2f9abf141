import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import { isStatementTimeout, SearchTooSlow } from '../db/unavailable.ts';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
  type LimitUsage,
} from '../metrics/concurrency-limit.ts';

// More would only compete for the same processors and slow down short reads.
const concurrency = Math.min(2 * availableParallelism(), 8);
// The same as for a connection.
const maxWaitMs = 5_000;

const limit = createConcurrencyLimit({ concurrency, maxWaiting: 1_000, maxWaitMs });

/** Each person may run half of all searches: the rest stays free for others. */
const limitsOfPeople = new Map<number | null, ConcurrencyLimit>();

function limitOf(person: number | null): ConcurrencyLimit {
  const known = limitsOfPeople.get(person);
  const personal =
    known ?? createConcurrencyLimit({ concurrency: concurrency / 2, maxWaiting: 1_000, maxWaitMs });
  limitsOfPeople.set(person, personal);
  return personal;
}

export function searchUsage(): LimitUsage {
  const { running, waiting } = limit.usage();
  const people = [...limitsOfPeople.values()].map((personal) => personal.usage().waiting);
  return { running, waiting: people.reduce((sum, count) => sum + count, waiting) };
}

/** Whose search it is; every context says so. */
export type Searcher = { db: Database; actor: { id: number | null } };

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

/** Limits the concurrency of heavy queries. Those that wait hold no connection. */
export const limitSearches = <T>(
  { db, actor }: Searcher,
  work: (db: Database) => Promise<T>,
  timeoutMs?: number,
): Promise<T> =>
  limitOf(actor.id).run(() =>
    limit.run(() => (timeoutMs === undefined ? work(db) : withinTime(db, timeoutMs, work))),
  );
