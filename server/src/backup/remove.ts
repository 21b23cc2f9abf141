import type { ObjectStorage } from '../storage/port.ts';
import { type BackupFiles, isUnfinished, listBackups, readManifest } from './catalogue.ts';
import { type Manifest, manifestKey, objectKeyOf, unfinishedKey } from './layout.ts';
import { storedObjects, wantedObjects } from './objects.ts';

/** In this order a removal that breaks off leaves what is recognised as unfinished. */
async function removeFiles(place: ObjectStorage, { id, files }: BackupFiles): Promise<void> {
  await place.put(unfinishedKey(id), Buffer.from('being removed\n'));
  await place.delete(manifestKey(id));
  for (const key of files.keys()) if (key !== unfinishedKey(id)) await place.delete(key);
  await place.delete(unfinishedKey(id));
}

async function removeUnwantedObjects(place: ObjectStorage, kept: Manifest[]): Promise<void> {
  for await (const { folder, objects } of wantedObjects(place, kept)) {
    for (const sha256 of (await storedObjects(place, folder)).keys()) {
      if (!objects.has(sha256)) await place.delete(objectKeyOf(sha256));
    }
  }
}

/**
 * Keeps the newest ones of this installation, and all that other installations may have put there. Whoever
 * calls it holds the lock, so what is unfinished was left by a backup that broke off.
 */
export async function removeOldBackups(place: ObjectStorage, newest: Manifest, keep: number): Promise<void> {
  const backups = await listBackups(place);
  const unfinished = backups.filter(isUnfinished);
  const complete = backups.filter((backup) => !isUnfinished(backup));
  const manifests = await Promise.all(complete.map(({ id }) => readManifest(place, id)));
  const ours = manifests.filter(({ key_fingerprint }) => key_fingerprint === newest.key_fingerprint);
  const old = new Set(ours.slice(0, Math.max(0, ours.length - keep)).map(({ id }) => id));
  for (const backup of backups) {
    if (old.has(backup.id) || unfinished.includes(backup)) await removeFiles(place, backup);
  }
  await removeUnwantedObjects(
    place,
    manifests.filter(({ id }) => !old.has(id)),
  );
}
