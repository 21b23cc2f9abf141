import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from './client.ts';
import { withOwnConnection } from './own-connection.ts';

// Any numbers will do, as long as nothing else in the database locks by them.
const locks = { backup: 7_263_042, check: 7_263_043 } as const;

/** Held until the transaction ends, or false: somebody else, perhaps on another machine, is at it already. */
export async function takeUpkeepLock(client: pg.ClientBase, work: keyof typeof locks): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    locks[work],
  ]);
  return rows[0]?.taken === true;
}

/**
 * Does the work while nobody else does the same; undefined when somebody else is at it. The transaction that
 * holds the lock reads nothing, so it keeps PostgreSQL from nothing however long it stays open; and unlike
 * a lock of the whole connection it also holds through a pooler. `confirm` fails when it was lost.
 */
export function withUpkeepLock<T>(
  pool: pg.Pool,
  name: keyof typeof locks,
  work: (confirm: () => Promise<unknown>) => Promise<T>,
): Promise<{ result: T } | undefined> {
  return withOwnConnection(pool, async ({ client }) => {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    if (!(await takeUpkeepLock(client, name))) return undefined;
    const result = await work(() => client.query('select 1'));
    // Frees the lock, and nothing else: what was done is done, also when the connection is gone by now.
    await client.query('commit').catch(() => undefined);
    return { result };
  });
}

/**
 * Whether objects must stay because a backup may still want them. To be asked once the row is known to be
 * gone: a backup that begins later does not see the document any more.
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
