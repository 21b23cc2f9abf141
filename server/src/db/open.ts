import { findRunningEmbedded, startEmbedded } from '@customer-database/embedded-postgres/start';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createDatabase, createPool, type Database } from './client.ts';
import { migrate } from './migrate.ts';
import { refuseTransactionPooler } from './pooler-probe.ts';

export type OpenDatabase = { pool: pg.Pool; db: Database; close(): Promise<void> };

export type OpenOptions = {
  /** A tool may use the embedded database of a running server; a server needs it exclusively. */
  asTool: boolean;
  /** Called when another server has taken the data folder: the database will not come back. */
  onDatabaseLost?: (reason: string) => void;
  /** The newest migration to apply, for restoring data of an older version. */
  migrateUpTo?: number;
  /** Creates or upgrades the tables of the job queue. */
  migrateQueue: (db: Database) => Promise<void>;
  /** Throws to stop before anything in the database is changed. */
  beforeMigrate?: (pool: pg.Pool) => Promise<void>;
};

type Settings = { databaseUrl: string | undefined; databasePoolSize: number; dataDir: string };

async function locate(
  config: Settings,
  log: Logger,
  { asTool, onDatabaseLost }: OpenOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  const nothingToStop = async () => undefined;
  if (config.databaseUrl) return { url: config.databaseUrl, stop: nothingToStop };
  const running = asTool ? await findRunningEmbedded(config.dataDir) : undefined;
  if (running) return { url: running, stop: nothingToStop };
  const embedded = await startEmbedded({ dataDir: config.dataDir, log });
  embedded.onExit(({ restarting, reason }) => {
    if (!restarting) onDatabaseLost?.(reason);
  });
  return embedded;
}

/** The database at DATABASE_URL, or else the embedded one. */
export async function openDatabase(
  config: Settings,
  log: Logger,
  options: OpenOptions,
): Promise<OpenDatabase> {
  const located = await locate(config, log, options);
  const pool = createPool(located.url, config.databasePoolSize, log, options.asTool ? 'tool' : 'server');
  const db = createDatabase(pool);
  const close = async () => {
    await pool.end();
    await located.stop();
  };
  try {
    if (config.databaseUrl) await refuseTransactionPooler(pool);
    await options.beforeMigrate?.(pool);
    const applied = await migrate(pool, options.migrateUpTo, () => options.migrateQueue(db));
    if (applied.length > 0) log.info({ applied }, 'database brought up to date');
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, db, close };
}
