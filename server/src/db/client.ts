import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { preparedName } from './prepared.ts';
import type { Schema } from './schema.ts';
import { isConnectionSpent, ReadOnlyDatabase } from './unavailable.ts';
import { valueTypes } from './value-types.ts';

export type Database = Kysely<Schema>;

/** How PostgreSQL's own lists of connections name us. */
export const connectionNames = {
  server: 'customer-database server',
  tool: 'customer-database tool',
} as const;

const connectWithinMs = 5_000;

/** After a fail-over a proxy may lead to one that follows another, which would give old answers for ever. */
function refuseReadOnly(client: pg.PoolClient, done: (error?: Error) => void): void {
  const text = "select 1 where current_setting('transaction_read_only') = 'on'";
  const query = { text, query_timeout: connectWithinMs };
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
    // Bounded waits: a database that is away must give quick errors, not hanging requests.
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    // What is silent for long, as a lock that is held for hours, is not taken for dead on the way, and
    // an end that vanished is noticed. Connections of their own take it over from here.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: connectionNames[name],
    verify: refuseReadOnly,
  });
  // A connection that breaks is replaced at the next query; unheard, the event would end the process.
  const onBroken = (error: Error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'a database connection broke');
  };
  pool.on('error', onBroken);
  pool.on('connect', (client) => client.on('error', onBroken));
  return pool;
}

// Longer than the statement timeout: it is for a database that cannot even say that it gave up.
const answerWithinMs = 35_000;

/** A connection can go silent without closing; then it is not used again, and nobody waits for it. */
function bounded(client: pg.PoolClient, withinMs: number): PostgresPoolClient {
  let spent: Error | undefined;
  async function query(text: string, values: readonly unknown[]): Promise<unknown> {
    if (spent) throw spent;
    try {
      const name = preparedName(text);
      return await client.query({
        name,
        text,
        values: [...values],
        query_timeout: withinMs,
      } as pg.QueryConfig);
    } catch (error) {
      if (error instanceof Error && isConnectionSpent(error)) spent = error;
      throw error;
    }
  }
  return {
    // Cursors, the other thing that could be asked for, are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(spent ?? destroy),
  };
}

export function createDatabase(pool: pg.Pool, withinMs = answerWithinMs): Database {
  const boundedPool: PostgresPool = {
    options: pool.options,
    connect: async () => bounded(await pool.connect(), withinMs),
    end: () => pool.end(),
  };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: boundedPool }) });
}
