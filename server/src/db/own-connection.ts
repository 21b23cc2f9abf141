import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';

/** A connection for COPY next to the usual queries. */
export type OwnConnection = { client: pg.Client; db: Database };

function queriesOn(client: pg.Client): Database {
  const lent: PostgresPoolClient = {
    query: client.query.bind(client) as unknown as PostgresPoolClient['query'],
    release: () => undefined,
  };
  const pool = { connect: async () => lent, end: async () => undefined, options: {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** Outside the pool and its timeouts: moving a million customers may take minutes. */
export async function withOwnConnection<T>(
  pool: pg.Pool,
  work: (connection: OwnConnection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(pool.options);
  // The running query fails anyway; without a listener the event would crash the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    return await work({ client, db: queriesOn(client) });
  } finally {
    // With a query still running this closes the socket, and PostgreSQL rolls back.
    await client.end();
  }
}
