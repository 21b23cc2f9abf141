import { createLog } from '../../server/src/core/log.ts';
import { createDatabase, createPool } from '../../server/src/db/client.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { installJobQueue } from '../../server/src/jobs/install.ts';
import { jobs } from '../../server/src/start/jobs.ts';

/** Makes an empty database what a server expects. */
export async function prepareDatabase(url: string): Promise<void> {
  const pool = createPool(url, 4, createLog('silent'));
  await migrate(pool, undefined, () => installJobQueue(createDatabase(pool), jobs));
  await pool.end();
}
