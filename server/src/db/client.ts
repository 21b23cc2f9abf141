import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { preparedName } from './prepared.ts';
import type { Schema } from './schema.ts';
import { isConnectionUnusable, ReadOnlyDatabase } from './unavailable.ts';
import { valueTypes } from './value-types.ts';

export type Database = Kysely<Schema>;

/** Shown in pg_stat_activity. */
export const connectionNames = {
  server: 'customer-database server',
  tool: 'customer-database tool',
} as const;

const connectTimeoutMs = 5_000;

/** After a failover a proxy may still lead to a standby, which would serve stale data forever. */
function refuseReadOnly(client: pg.PoolClient, done: (error?: Error) => void): void {
  const text = "select 1 where current_setting('transaction_read_only') = 'on'";
  const query = { text, query_timeout: connectTimeoutMs };
  client.query(query, (error: Error | null, result: pg.QueryResult) => {
    if (error) done(error);
    else done(result.rows.length > 0 ? new ReadOnlyDatabase() : undefined);
  });
}

export function createPool(
  connectionString: string,
  size: number,
  log: Logger,
  name: keyof typeof connectionNames = 'server',
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    types: valueTypes,
    // An unreachable database must give quick errors, not hanging requests.
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    // Keeps idle connections alive, such as one that holds a lock for hours, and detects dead peers.
    // Own connections reuse these options.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: connectionNames[name],
    verify: refuseReadOnly,
  });
  // The pool replaces a broken connection; without a listener the event would crash the process.
  const onBroken = (error: Error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'a database connection broke');
  };
  pool.on('error', onBroken);
  pool.on('connect', (client) => client.on('error', onBroken));
  return pool;
}

// Longer than the statement timeout: for a database that no longer answers at all.
const queryTimeoutMs = 35_000;

/**
 * Returns a connection to the pool after a failed query. pg-boss sends 'begin', statements and 'commit' as one query:
 * when one of them fails, the transaction stays open, and PostgreSQL would refuse whatever comes next.
 */
async function releaseAfterFailure(client: pg.PoolClient): Promise<void> {
  try {
    await client.query({ text: 'select 1', query_timeout: connectTimeoutMs } as pg.QueryConfig);
    client.release();
  } catch {
    client.release(true);
  }
}

/** A connection can go silent without closing; then it is discarded and later queries fail immediately. */
function withTimeout(client: pg.PoolClient, timeoutMs: number): PostgresPoolClient {
  let failure: Error | undefined;
  let hasFailed = false;
  async function query(text: string, values: readonly unknown[]): Promise<unknown> {
    if (failure) throw failure;
    try {
      const name = preparedName(text);
      const result = await client.query({
        name,
        text,
        values: [...values],
        query_timeout: timeoutMs,
      } as pg.QueryConfig);
      if (text === 'rollback') hasFailed = false;
      return result;
    } catch (error) {
      hasFailed = true;
      if (error instanceof Error && isConnectionUnusable(error)) failure = error;
      throw error;
    }
  }
  return {
    // The other overload, for cursors, is not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => {
      if (hasFailed && !failure && !destroy) releaseAfterFailure(client);
      else client.release(failure ?? destroy);
    },
  };
}

export function createDatabase(pool: pg.Pool, timeoutMs = queryTimeoutMs): Database {
  const poolWithTimeout: PostgresPool = {
    options: pool.options,
    connect: async () => withTimeout(await pool.connect(), timeoutMs),
    end: () => pool.end(),
  };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: poolWithTimeout }) });
}
