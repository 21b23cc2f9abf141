import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from './client.ts';
import { withOwnConnection } from './own-connection.ts';

// Arbitrary, but unique among advisory locks in the database.
const locks = { backup: 7_263_042, check: 7_263_043 } as const;

/** Held until the transaction ends. False if another process, perhaps on another machine, holds it. */
export async function takeMaintenanceLock(client: pg.ClientBase, work: keyof typeof locks): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    locks[work],
  ]);
  return rows[0]?.taken === true;
}

/**
 * Does the work under the lock; returns undefined if another process holds it. The transaction that holds the
 * lock reads nothing, so it does not hold back vacuum, however long it stays open; and unlike a session lock
 * it works through a pooler. `confirm` fails if the lock was lost.
 */
export function withMaintenanceLock<T>(
  pool: pg.Pool,
  name: keyof typeof locks,
  work: (confirm: () => Promise<unknown>) => Promise<T>,
): Promise<{ result: T } | undefined> {
  return withOwnConnection(pool, async ({ client }) => {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    if (!(await takeMaintenanceLock(client, name))) return undefined;
    const result = await work(() => client.query('select 1'));
    // Only releases the lock: the work is done even if the connection is gone.
    await client.query('commit').catch(() => undefined);
    return { result };
  });
}

/**
 * If so, objects must stay, as the backup may still need them. Call it after the row is gone: a backup that
 * starts later no longer sees the document.
 */
export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and classid = 0 and objid = ${locks.backup} and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
    ) as running`.execute(db);
  return rows[0]?.running === true;
}
