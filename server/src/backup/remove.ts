import type { ObjectStorage } from '../storage/port.ts';
import { type BackupFiles, isUnfinished, listBackups, readManifest } from './catalogue.ts';
import { type Manifest, manifestKey, objectKeyOf, unfinishedKey } from './layout.ts';
import { storedObjects, wantedObjects } from './objects.ts';

export type RemoveOptions = {
  newest: Manifest;
  keep: number;
  signal: AbortSignal;
  /** Fails if the lock was lost, because another backup may be running by now. */
  confirmLock(): Promise<unknown>;
};

/** Marks the backup first: an interrupted removal then leaves a backup that counts as unfinished. */
async function removeFiles(target: ObjectStorage, { id, files }: BackupFiles): Promise<void> {
  await target.put(unfinishedKey(id), Buffer.from('being removed\n'));
  await target.delete(manifestKey(id));
  for (const key of files.keys()) if (key !== unfinishedKey(id)) await target.delete(key);
}

async function removeUnwantedObjects(
  target: ObjectStorage,
  kept: Manifest[],
  { signal, confirmLock }: RemoveOptions,
): Promise<void> {
  for await (const { folder, objects } of wantedObjects(target, kept)) {
    const stored = await storedObjects(target, folder);
    const unwanted = [...stored.keys()].filter((sha256) => !objects.has(sha256));
    if (unwanted.length > 0) await confirmLock();
    for (const sha256 of unwanted) {
      signal.throwIfAborted();
      await target.delete(objectKeyOf(sha256));
    }
  }
}

/** Backups of this installation only. The newest stays even if the clock was set back. */
function expiredIds(manifests: Manifest[], { newest, keep }: RemoveOptions): Set<string> {
  const earlier = manifests.filter(
    ({ id, key_fingerprint }) => key_fingerprint === newest.key_fingerprint && id !== newest.id,
  );
  return new Set(earlier.slice(0, Math.max(0, earlier.length - (keep - 1))).map(({ id }) => id));
}

/**
 * Keeps the newest backups of this installation and all backups of others. The caller holds the lock, so an
 * unfinished backup is one that was interrupted.
 */
export async function removeOldBackups(target: ObjectStorage, options: RemoveOptions): Promise<void> {
  const { signal, confirmLock } = options;
  const backups = await listBackups(target);
  const unfinished = backups.filter(isUnfinished);
  const complete = backups.filter((backup) => !isUnfinished(backup));
  const manifests = await Promise.all(complete.map(({ id }) => readManifest(target, id)));
  const expired = expiredIds(manifests, options);
  const removed = [...unfinished, ...complete.filter(({ id }) => expired.has(id))];
  for (const backup of removed) {
    signal.throwIfAborted();
    await confirmLock();
    await removeFiles(target, backup);
  }
  const kept = manifests.filter(({ id }) => !expired.has(id));
  await removeUnwantedObjects(target, kept, options);
  // Last, because a verification tolerates unwanted objects only while the marks exist.
  for (const { id } of removed) await target.delete(unfinishedKey(id));
}
