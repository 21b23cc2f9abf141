import type pg from 'pg';
import { MigrationError } from './migrate.ts';

// Arbitrary, but unique among advisory locks in the database.
const probeLock = 7_263_044;
const queryTimeoutMs = 5_000;

const advice =
  'DATABASE_URL leads to a pooler such as PgBouncer that gives each transaction another session: use its session ' +
  'mode (pool_mode = session), or connect to PostgreSQL directly';

/** Both connections get it where they share a session. */
async function isLockGrantedTwice(one: pg.PoolClient, other: pg.PoolClient): Promise<boolean> {
  const lock = async (client: pg.PoolClient) => {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as granted', [probeLock]);
    return rows[0].granted === true;
  };
  const isFirst = await lock(one);
  const isSecond = await lock(other);
  await other.query('select pg_advisory_unlock_all()');
  await one.query('select pg_advisory_unlock_all()');
  return isFirst && isSecond;
}

/** While the other connection is in a transaction, a pooler runs the second one in another session. */
async function isStatementLost(one: pg.PoolClient, other: pg.PoolClient): Promise<boolean> {
  const statement = { name: 'probe', text: 'select 1', query_timeout: queryTimeoutMs };
  await one.query('begin');
  await one.query(statement);
  await one.query('commit');
  await other.query('begin');
  try {
    await one.query('begin');
    await one.query(statement);
    return false;
  } catch {
    return true;
  } finally {
    await one.query('rollback').catch(() => undefined);
    await other.query('rollback');
  }
}

/** Prepared statements and the lock for migrations need one session for each connection. */
export async function refuseTransactionPooler(pool: pg.Pool): Promise<void> {
  const one = await pool.connect();
  try {
    const other = await pool.connect();
    try {
      if ((await isLockGrantedTwice(one, other)) || (await isStatementLost(one, other))) {
        throw new MigrationError(advice);
      }
    } finally {
      other.release(true);
    }
  } finally {
    one.release(true);
  }
}
