import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import pg from 'pg';
import { createLog } from '../../server/src/core/log.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { makeData, type Size } from './make.ts';

/** Bump it when the generated data changes; the server migrates the schema itself. */
const dataVersion = 1;

/** The data folder of an installation of this size, created once and then reused. */
export async function cachedInstallation(
  cacheFolder: string,
  size: Size,
  progress: (text: string) => void,
): Promise<string> {
  const folder = join(cacheFolder, `${size.customers}-${size.documents}-v${dataVersion}`);
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
    await makeData(client, size, progress);
    client.release();
  } finally {
    await pool.end();
    await embedded.stop();
  }
  await writeFile(finishedMarker, '');
  return folder;
}
