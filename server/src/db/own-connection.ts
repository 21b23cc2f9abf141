import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';

/** One connection, for work that speaks to PostgreSQL itself (COPY) beside the usual queries. */
export type OwnConnection = { client: pg.Client; db: Database };

function queriesOn(client: pg.Client): Database {
  const lent: PostgresPoolClient = {
    query: client.query.bind(client) as unknown as PostgresPoolClient['query'],
    release: () => undefined,
  };
  const pool = { connect: async () => lent, end: async () => undefined, options: {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** Outside the pool and its time limits: what moves a million customers may take minutes. */
export async function withOwnConnection<T>(
  pool: pg.Pool,
  work: (connection: OwnConnection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(pool.options);
  // The query that runs fails with it; unheard, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    return await work({ client, db: queriesOn(client) });
  } finally {
    // With a query still under way this cuts the connection, and PostgreSQL undoes what it began.
    await client.end();
  }
}
