import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import pg from 'pg';
import { createLog } from '../../../server/src/core/log.ts';
import { migrate } from '../../../server/src/db/migrate.ts';

export type Data = {
  /** Of its folder; to be changed when the data changes. The server migrates the schema itself. */
  name: string;
  make(client: pg.ClientBase): Promise<void>;
};

/** The data folder of an installation with this data, created once and then reused. */
export async function cachedInstallation(cacheFolder: string, { name, make }: Data): Promise<string> {
  const folder = join(cacheFolder, name);
  const finishedMarker = join(folder, 'bench-finished');
  if (existsSync(finishedMarker)) return folder;
  await rm(folder, { recursive: true, force: true });
  // PostgreSQL does not run as root, and its own user needs access.
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await withEmbedded(folder, async (pool) => {
    await migrate(pool);
    const client = await pool.connect();
    await make(client);
    client.release();
  });
  await writeFile(finishedMarker, '');
  return folder;
}

/** Work on the database of an installation whose server does not run. */
export async function withEmbedded(folder: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const embedded = await startEmbedded({ dataDir: folder, log: createLog('warn') });
  const pool = new pg.Pool({ connectionString: embedded.url });
  pool.on('error', () => undefined);
  try {
    await work(pool);
  } finally {
    await pool.end();
    await embedded.stop();
  }
}
