import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import pg from 'pg';
import { createLog } from '../../../server/src/core/log.ts';
import { migrate } from '../../../server/src/db/migrate.ts';

export type Progress = (text: string) => void;

export type Data = {
  /** Of its folder; to be changed when the data changes. The server migrates the schema itself. */
  name: string;
  make(client: pg.ClientBase, progress: Progress): Promise<void>;
};

/** The data folder of an installation with this data, created once and then reused. */
export async function cachedInstallation(
  cacheFolder: string,
  { name, make }: Data,
  progress: Progress,
): Promise<string> {
  const folder = join(cacheFolder, name);
  const finishedMarker = join(folder, 'bench-finished');
  if (existsSync(finishedMarker)) return folder;
  await rm(folder, { recursive: true, force: true });
  // PostgreSQL does not run as root, and its own user needs access.
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const embedded = await startEmbedded({ dataDir: folder, log: createLog('warn') });
  const pool = new pg.Pool({ connectionString: embedded.url });
  pool.on('error', () => undefined);
  try {
    await migrate(pool);
    const client = await pool.connect();
    await make(client, progress);
    client.release();
  } finally {
    await pool.end();
    await embedded.stop();
  }
  await writeFile(finishedMarker, '');
  return folder;
}
