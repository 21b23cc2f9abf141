import type { ObjectStorage } from '../storage/port.ts';
import { type BackupFiles, isUnfinished, listBackups, readManifest } from './catalogue.ts';
import { type Manifest, manifestKey, objectKeyOf, unfinishedKey } from './layout.ts';
import { storedObjects, wantedObjects } from './objects.ts';

export type RemoveOptions = {
  newest: Manifest;
  keep: number;
  signal: AbortSignal;
  /** Fails when the lock was lost: somebody else may be making a backup here by now. */
  confirmLock(): Promise<unknown>;
};

/** In this order, and with the mark left, a removal that breaks off leaves what is recognised as unfinished. */
async function removeFiles(place: ObjectStorage, { id, files }: BackupFiles): Promise<void> {
  await place.put(unfinishedKey(id), Buffer.from('being removed\n'));
  await place.delete(manifestKey(id));
  for (const key of files.keys()) if (key !== unfinishedKey(id)) await place.delete(key);
}

async function removeUnwantedObjects(
  place: ObjectStorage,
  kept: Manifest[],
  { signal, confirmLock }: RemoveOptions,
): Promise<void> {
  for await (const { folder, objects } of wantedObjects(place, kept)) {
    const stored = await storedObjects(place, folder);
    const unwanted = [...stored.keys()].filter((sha256) => !objects.has(sha256));
    if (unwanted.length > 0) await confirmLock();
    for (const sha256 of unwanted) {
      signal.throwIfAborted();
      await place.delete(objectKeyOf(sha256));
    }
  }
}

/** Of the backups of one installation; the new one stays, also when the clock was set back since the others. */
function oldOnes(manifests: Manifest[], { newest, keep }: RemoveOptions): Set<string> {
  const earlier = manifests.filter(
    ({ id, key_fingerprint }) => key_fingerprint === newest.key_fingerprint && id !== newest.id,
  );
  return new Set(earlier.slice(0, Math.max(0, earlier.length - (keep - 1))).map(({ id }) => id));
}

/**
 * Keeps the newest ones of this installation, and all that other installations may have put there. Whoever
 * calls it holds the lock, so what is unfinished was left by a backup that broke off.
 */
export async function removeOldBackups(place: ObjectStorage, options: RemoveOptions): Promise<void> {
  const { signal, confirmLock } = options;
  const backups = await listBackups(place);
  const unfinished = backups.filter(isUnfinished);
  const complete = backups.filter((backup) => !isUnfinished(backup));
  const manifests = await Promise.all(complete.map(({ id }) => readManifest(place, id)));
  const old = oldOnes(manifests, options);
  const removed = [...unfinished, ...complete.filter(({ id }) => old.has(id))];
  for (const backup of removed) {
    signal.throwIfAborted();
    await confirmLock();
    await removeFiles(place, backup);
  }
  const kept = manifests.filter(({ id }) => !old.has(id));
  await removeUnwantedObjects(place, kept, options);
  // Only now: until here, objects that nobody wants any more are no surprise to a verification.
  for (const { id } of removed) await place.delete(unfinishedKey(id));
}
