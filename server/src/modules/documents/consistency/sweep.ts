import type { Deps, JobDeps } from '../../../core/deps.ts';
import { isBackupRunning } from '../../../db/maintenance-lock.ts';
import type { Job } from '../../../jobs/job.ts';
import { findOwnedKeys, minLeftoverAgeMs, ownPrefixes } from '../objects.ts';

const batchSize = 500;

async function deleteLeftovers(deps: Deps, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const known = await findOwnedKeys(deps.db, keys);
  const leftovers = keys.filter((key) => !known.has(key));
  if (leftovers.length === 0 || (await isBackupRunning(deps.db))) return 0;
  let removed = 0;
  for (const key of leftovers) {
    if (deps.stopping.aborted) break;
    await deps.storage.delete(key);
    removed += 1;
  }
  return removed;
}

async function sweepPrefix(deps: Deps, prefix: string): Promise<number> {
  const cutoff = deps.clock.now().getTime() - minLeftoverAgeMs;
  let removed = 0;
  let batch: string[] = [];
  for await (const object of deps.storage.list(prefix)) {
    if (deps.stopping.aborted) break;
    if (object.modifiedAt.getTime() > cutoff) continue;
    batch.push(object.key);
    if (batch.length === batchSize) {
      removed += await deleteLeftovers(deps, batch);
      batch = [];
    }
  }
  return removed + (await deleteLeftovers(deps, batch));
}

/** Removes objects that a crash left without a row. After a shutdown, the next run continues. */
export async function sweepObjects(deps: Deps): Promise<number> {
  let removed = 0;
  for (const prefix of ownPrefixes) removed += await sweepPrefix(deps, prefix);
  if (removed > 0) deps.log.info({ removed }, 'removed objects without a document');
  return removed;
}

export const sweepObjectsJob: Job<JobDeps, object> = {
  name: 'sweep-objects',
  schedule: '17 3 * * *',
  run: async (deps) => void (await sweepObjects(deps)),
};
