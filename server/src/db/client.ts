import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Schema } from './schema.ts';
import { type Done, Statement } from './statement.ts';
import { isConnectionSpent, ReadOnlyDatabase } from './unavailable.ts';
import { sentValue, valueTypes } from './value-types.ts';

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

const plannedAnewMark = '/* planned anew */';
/** In a statement whose best plan depends on its values: it is not prepared once and for all. */
export const plannedAnew = sql.raw(plannedAnewMark);

const mostPrepared = 200;
const preparable = /^\s*(select|insert|update|delete|with)\b/;
// Once prepared, these fail when a newer version of this program adds a column.
const allColumns = /(\bselect|\breturning|\.)\s*\*/;

/**
 * Statements are prepared once for each connection: parsing and planning cost more than most of them
 * take to run. A name is made of the text, so that it means the same on every connection.
 */
function preparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostPrepared) return known;
    if (text.includes(plannedAnewMark) || allColumns.test(text) || !preparable.test(text)) return undefined;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
}

type Send = (client: pg.PoolClient, text: string, values: (string | Buffer | null)[], done: Done) => void;

function sender(withinMs: number): Send {
  const nameOf = preparedNames();
  return (client, text, values, done) => {
    client.query(new Statement({ name: nameOf(text) ?? '', text, withinMs }, values, done));
  };
}

/** A connection can go silent without closing; then it is not used again, and nobody waits for it. */
function bounded(client: pg.PoolClient, send: Send): PostgresPoolClient {
  let spent: Error | undefined;
  function query(text: string, values: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (spent) throw spent;
      send(client, text, values.map(sentValue), (error, result) => {
        if (error && isConnectionSpent(error)) spent = error;
        if (error) reject(error);
        else resolve(result);
      });
    });
  }
  return {
    // Cursors, the other thing that could be asked for, are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(spent ?? destroy),
  };
}

export type Run = (text: string, values: readonly unknown[]) => Promise<unknown[]>;

const ways = new WeakMap<object, Run>();

/** The short way to the pool, past the query builder's own management of connections; not in a transaction. */
export function shortWay(db: Database): Run | undefined {
  return ways.get(db);
}

function runOnce(pool: pg.Pool, send: Send): Run {
  return (text, values) =>
    new Promise((resolve, reject) => {
      const sent = values.map(sentValue);
      pool.connect((unreachable, client, release) => {
        if (!client) return reject(unreachable);
        send(client, text, sent, (error, result) => {
          release(error !== null && isConnectionSpent(error) ? error : undefined);
          if (error) reject(error);
          else resolve(result.rows);
        });
      });
    });
}

export function createDatabase(pool: pg.Pool, withinMs = answerWithinMs): Database {
  const send = sender(withinMs);
  const boundedPool: PostgresPool = {
    options: pool.options,
    connect: async () => bounded(await pool.connect(), send),
    end: () => pool.end(),
  };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: boundedPool }) });
  ways.set(db, runOnce(pool, send));
  return db;
}
