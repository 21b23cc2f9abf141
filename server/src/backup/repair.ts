import type { Context } from '../core/context.ts';
import { isBackupRunning } from '../db/maintenance-lock.ts';
import { type Problem, problemOf } from '../modules/documents/consistency/check.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { partOf } from './objects.ts';
import { readPartIfIntact } from './parts.ts';

/** False if the bytes in the backup are not intact. */
async function restoreDocument(
  storage: ObjectStorage,
  target: ObjectStorage,
  document: NonNullable<Problem['document']>,
): Promise<boolean> {
  const wanted = partOf({ sha256: document.sha256.toString('hex'), size: document.file_size });
  const bytes = await readPartIfIntact(target, wanted);
  if (!bytes) return false;
  await storage.put(document.storage_key, bytes);
  return (await problemOf(storage, document)) === undefined;
}

/**
 * Deletes objects without a document, and restores missing or damaged ones from a backup.
 * Files of other programs stay.
 */
export function createRepair(
  ctx: Context,
  target: ObjectStorage | undefined,
): (problem: Problem) => Promise<boolean> {
  const { storage } = ctx.deps;
  return async ({ kind, key, document }) => {
    if (document) return target ? restoreDocument(storage, target, document) : false;
    if (kind !== 'leftover' || (await isBackupRunning(ctx.db))) return false;
    await storage.delete(key);
    return true;
  };
}
