import { execFile } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readIdentity } from '@customer-database/embedded-postgres/identity';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import { createLog } from '../../../server/src/core/log.ts';
import { createPool } from '../../../server/src/db/client.ts';
import { migrate } from '../../../server/src/db/migrate.ts';

async function makeEmpty(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // PostgreSQL does not run as root, and its own user needs access.
  await chmod(folder, 0o755);
  return folder;
}

let template: Promise<string | undefined> | undefined;

/** Undefined where the database is outside its data folder, so that a copy would be useless. */
async function makeTemplate(parent: string): Promise<string | undefined> {
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

/** An empty data folder: a copy, because creating a database is slow. */
export async function makeDataFolder(parent: string, name: string): Promise<string> {
  template ??= makeTemplate(parent);
  const source = await template;
  const folder = await makeEmpty(parent, name);
  if (source) await promisify(execFile)('cp', ['-a', `${source}/.`, folder]);
  return folder;
}
