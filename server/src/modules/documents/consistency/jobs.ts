import type { Deps, JobDeps } from '../../../core/deps.ts';
import type { Database } from '../../../db/client.ts';
import { isBackupRunning } from '../../../db/upkeep-lock.ts';
import type { Job } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { findKnownStorageKeys } from '../repo.ts';

// Longer than any upload can take: a younger object may still get its row.
export const minLeftoverAgeMs = 24 * 3_600_000;
const batchSize = 500;
const postponeMs = 60_000;

type StoredObject = { storage_key: string };

const deleteObjectJob: Job<JobDeps, StoredObject> = { name: 'delete-object', run: deleteObject };

/** In the caller's transaction. */
export async function enqueueDeletion(db: Database, storage_key: string, notBefore?: Date): Promise<void> {
  await enqueue(db, deleteObjectJob, { storage_key }, `delete:${storage_key}`, notBefore);
}

/** Deletes the object of a deleted document, but not while a backup runs, which may still need it. */
async function deleteObject(deps: Deps, { storage_key }: StoredObject): Promise<void> {
  if (!(await isBackupRunning(deps.db))) await deps.storage.delete(storage_key);
  else await enqueueDeletion(deps.db, storage_key, new Date(Date.now() + postponeMs));
}

async function deleteLeftovers(deps: Deps, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const known = await findKnownStorageKeys(deps.db, keys);
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

/** Removes objects that a crash left without a row. What a shutdown interrupts is removed the next time. */
export async function sweepObjects(deps: Deps): Promise<number> {
  const cutoff = deps.clock.now().getTime() - minLeftoverAgeMs;
  let removed = 0;
  let batch: string[] = [];
  for await (const object of deps.storage.list('documents/')) {
    if (deps.stopping.aborted) break;
    if (object.modifiedAt.getTime() > cutoff) continue;
    batch.push(object.key);
    if (batch.length === batchSize) {
      removed += await deleteLeftovers(deps, batch);
      batch = [];
    }
  }
  removed += await deleteLeftovers(deps, batch);
  if (removed > 0) deps.log.info({ removed }, 'removed objects without a document');
  return removed;
}

const sweepObjectsJob: Job<JobDeps, object> = {
  name: 'sweep-objects',
  schedule: '17 3 * * *',
  run: async (deps) => void (await sweepObjects(deps)),
};

export const documentJobs = [deleteObjectJob, sweepObjectsJob];
