import { execFile } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readIdentity } from '@customer-database/embedded-postgres/identity';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import { createLog } from '../../server/src/core/log.ts';
import { createPool } from '../../server/src/db/client.ts';
import { migrate } from '../../server/src/db/migrate.ts';

async function makeEmpty(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // PostgreSQL must not run as root, and its own user has to be let in.
  await chmod(folder, 0o755);
  return folder;
}

let kept: Promise<string | undefined> | undefined;

/** Undefined where the database does not lie in its data folder, so that a copy would be of no use. */
async function makeOriginal(parent: string): Promise<string | undefined> {
  const folder = await makeEmpty(parent, 'original');
  const log = createLog('error');
  const database = await startEmbedded({ dataDir: folder, log });
  const pool = createPool(database.url, 2, log);
  await migrate(pool);
  await pool.end();
  await database.stop();
  const location = (await readIdentity(folder))?.location ?? '';
  if (location.startsWith(folder)) return folder;
  await rm(location, { recursive: true, force: true });
  return undefined;
}

/** A data folder without any data: a copy, because making a database takes its time. */
export async function makeDataFolder(parent: string, name: string): Promise<string> {
  kept ??= makeOriginal(parent);
  const original = await kept;
  const folder = await makeEmpty(parent, name);
  if (original) await promisify(execFile)('cp', ['-a', `${original}/.`, folder]);
  return folder;
}
