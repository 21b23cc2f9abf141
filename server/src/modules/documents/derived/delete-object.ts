import type { Deps, JobDeps } from '../../../core/deps.ts';
import type { Database } from '../../../db/client.ts';
import { isBackupRunning } from '../../../db/maintenance-lock.ts';
import type { Job } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue.ts';

const postponeMs = 60_000;

type StoredObject = { storage_key: string };

export const deleteObjectJob: Job<JobDeps, StoredObject> = { name: 'delete-object', run: deleteObject };

export async function enqueueDeletion(db: Database, storage_key: string, notBefore?: Date): Promise<void> {
  await enqueue(db, deleteObjectJob, { storage_key }, `delete:${storage_key}`, notBefore);
}

/** Deletes an object without a row. Postponed while a backup runs, which may still need the object. */
async function deleteObject(deps: Deps, { storage_key }: StoredObject): Promise<void> {
  if (!(await isBackupRunning(deps.db))) await deps.storage.delete(storage_key);
  else await enqueueDeletion(deps.db, storage_key, new Date(Date.now() + postponeMs));
}
