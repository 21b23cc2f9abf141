import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Schema } from './schema.ts';
import { isSilence } from './unavailable.ts';

export type Database = Kysely<Schema>;

const oid = { int8: 20, date: 1082 };

const types: pg.CustomTypesConfig = {
  getTypeParser(typeId: number, format?: 'text' | 'binary') {
    // Ids and counts stay far below 2^53, and a calendar date is no point in time.
    if (typeId === oid.int8) return Number;
    if (typeId === oid.date) return (text: string) => text;
    return pg.types.getTypeParser(typeId, format);
  },
};

export function createPool(connectionString: string, size: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    types,
    // Bounded waits: a database that is away must give quick errors, not hanging requests.
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'customer-database',
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
  let silence: Error | undefined;
  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (silence) throw silence;
    const request = { text, values: [...values], query_timeout: withinMs };
    try {
      return await client.query(request);
    } catch (error) {
      if (error instanceof Error && isSilence(error)) silence = error;
      throw error;
    }
  }
  return {
    // Cursors, the other thing that could be asked for, are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(silence ?? destroy),
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
