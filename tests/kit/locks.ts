import type pg from 'pg';
import { expect } from 'vitest';

/**
 * How many queries of this database wait for a lock. Do not call it within a transaction,
 * where pg_stat_activity is a snapshot.
 */
export async function countWaiting(asker: pg.Pool | pg.Client): Promise<number> {
  const { rows } = await asker.query(
    `select count(*)::int as count from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows[0].count;
}

/** Waits until so many queries are blocked. A process that has yet to start needs a longer timeout. */
export async function untilWaiting(pool: pg.Pool, queries: number, timeout = 15_000): Promise<void> {
  await expect.poll(() => countWaiting(pool), { timeout }).toBe(queries);
}

/** Holds locks in an open transaction until all the given work is blocked by them and `look` has run. */
export async function whileHolding<T>(
  pool: pg.Pool,
  hold: (client: pg.PoolClient) => Promise<unknown>,
  work: () => Promise<T>[],
  look: () => Promise<void> = async () => undefined,
): Promise<T[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await hold(client);
    const running = work();
    await untilWaiting(pool, running.length);
    await look();
    await client.query('commit');
    return await Promise.all(running);
  } finally {
    client.release();
  }
}
