import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import pg from 'pg';
import { createLog } from '../../server/src/core/log.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { makeData, type Size } from './make.ts';

/** Made anew when the data would differ; schema changes are brought in by the server itself. */
const dataVersion = 1;

/** The data folder of an installation of this size: made the first time, kept from then on. */
export async function keptInstallation(
  keptIn: string,
  size: Size,
  progress: (text: string) => void,
): Promise<string> {
  const folder = join(keptIn, `${size.customers}-${size.documents}-v${dataVersion}`);
  const finishedMark = join(folder, 'bench-finished');
  if (existsSync(finishedMark)) return folder;
  await rm(folder, { recursive: true, force: true });
  // PostgreSQL must not run as root, and its own user has to be let in.
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
  await writeFile(finishedMark, '');
  return folder;
}
