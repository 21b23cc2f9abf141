import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createDatabase, createPool, type Database } from './client.ts';
import { findRunningEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

export type OpenDatabase = { pool: pg.Pool; db: Database; close(): Promise<void> };

async function locate(
  config: Config,
  log: Logger,
  asTool: boolean,
): Promise<{ url: string; stop(): Promise<void> }> {
  const nothingToStop = async () => undefined;
  if (config.databaseUrl) return { url: config.databaseUrl, stop: nothingToStop };
  const running = asTool ? await findRunningEmbedded(config.dataDir) : undefined;
  if (running) return { url: running, stop: nothingToStop };
  return startEmbedded({ dataDir: config.dataDir, log });
}

/**
 * One's own PostgreSQL when a DATABASE_URL is set, else the embedded one. A tool joins the embedded
 * database of a server that runs; a server wants it for itself.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  { asTool }: { asTool: boolean },
): Promise<OpenDatabase> {
  const located = await locate(config, log, asTool);
  const pool = createPool(located.url, config.databasePoolSize, log);
  const close = async () => {
    await pool.end();
    await located.stop();
  };
  try {
    const applied = await migrate(pool);
    if (applied.length > 0) log.info({ applied }, 'database brought up to date');
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, db: createDatabase(pool), close };
}
