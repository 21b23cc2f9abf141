import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import { isStatementTimeout, SearchTooSlow } from '../db/unavailable.ts';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
  type LimitUsage,
} from '../metrics/concurrency-limit.ts';

// More searches would compete for the same processors and slow down short reads.
const concurrency = Math.min(2 * availableParallelism(), 8);
// As for a connection of the pool.
const maxWaitMs = 5_000;

const sharedLimit = createConcurrencyLimit({ concurrency, maxWaiting: 1_000, maxWaitMs });

/** One user can take half of the concurrency, so that other users can search meanwhile. */
const userLimits = new Map<number | null, ConcurrencyLimit>();

function limitOfUser(id: number | null): ConcurrencyLimit {
  const limit =
    userLimits.get(id) ??
    createConcurrencyLimit({ concurrency: concurrency / 2, maxWaiting: 1_000, maxWaitMs });
  userLimits.set(id, limit);
  return limit;
}

export function searchUsage(): LimitUsage {
  const { running, waiting } = sharedLimit.usage();
  const waitingOfUsers = [...userLimits.values()].map((limit) => limit.usage().waiting);
  return { running, waiting: waitingOfUsers.reduce((sum, count) => sum + count, waiting) };
}

/** The part of a context that a search needs. */
export type Searcher = { db: Database; actor: { id: number | null } };

async function withTimeout<T>(db: Database, timeoutMs: number, work: (db: Database) => Promise<T>) {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(transaction);
      return work(transaction);
    });
  } catch (error) {
    throw isStatementTimeout(error) ? new SearchTooSlow(`not done in ${timeoutMs} ms`) : error;
  }
}

/** Limits the concurrency of searches. A waiting search holds no connection. */
export const limitSearches = <T>(
  { db, actor }: Searcher,
  work: (db: Database) => Promise<T>,
  timeoutMs?: number,
): Promise<T> =>
  limitOfUser(actor.id).run(() =>
    sharedLimit.run(() => (timeoutMs === undefined ? work(db) : withTimeout(db, timeoutMs, work))),
  );
