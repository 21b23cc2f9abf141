import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Schema } from './schema.ts';

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
  const onBroken = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  pool.on('error', onBroken);
  pool.on('connect', (client) => client.on('error', onBroken));
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
