import type { Context } from '../core/context.ts';
import { replaceSecretKey } from '../crypto/secret-key.ts';
import { migrate, newestMigration } from '../db/migrate.ts';
import { withOwnConnection } from '../db/own-connection.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import { fewAtOnce } from '../storage/few-at-once.ts';
import { ObjectMissingError, type ObjectStorage } from '../storage/port.ts';
import { BackupDamaged, BackupRefused, type Manifest } from './layout.ts';
import { loadTables, refuseUnfit } from './load.ts';
import { partOf, type WantedObject, wantedObjects } from './objects.ts';
import { readPart } from './parts.ts';
import type { Place } from './place.ts';
import type { Progress } from './snapshot.ts';

export type RestoreOptions = {
  place: Place;
  backup: Manifest;
  /** The key of the backup, to be kept in the data folder. */
  secretKey: string | undefined;
  /** The MFA seeds cannot be read with the key of this installation: MFA is switched off for everybody. */
  withoutMfa: boolean;
  signal: AbortSignal;
  show: Progress;
};

/** Says that what lies in the storage was put there by a restore that has not come to its end. */
const markerKey = 'restore/unfinished';

/** Before anything is opened: a database is only brought as far as the backup was. */
export async function refuseNewerBackup(backup: Manifest): Promise<void> {
  const newest = await newestMigration();
  if (backup.schema_version <= newest) return;
  throw new BackupRefused(
    `The backup was made by a newer version of this program (its schema is ${backup.schema_version}, this ` +
      `program knows ${newest}). Restore it with that version.`,
  );
}

/** A restore of the same backup that broke off goes on; anything else in the storage is somebody's data. */
async function refuseFilledStorage(storage: ObjectStorage, backup: Manifest): Promise<void> {
  const marker = await storage.get(markerKey).catch((error: unknown) => {
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  });
  const unfinished = marker && Buffer.concat(await marker.toArray()).toString();
  if (unfinished === backup.id) return;
  for await (const { key } of storage.list('documents/')) {
    throw new BackupRefused(
      unfinished
        ? `The restore of another backup, ${unfinished}, has not come to its end here. Finish that one first.`
        : `The document storage is not empty (${key}). A backup is restored into an empty one only.`,
    );
  }
  await storage.put(markerKey, Buffer.from(backup.id));
}

/** What could not be read when the backup was made may be there all the same: another backup had it. */
async function restoreObject(from: ObjectStorage, to: ObjectStorage, wanted: WantedObject): Promise<boolean> {
  const bytes = await readPart(from, partOf(wanted)).catch((error: unknown) => {
    if (error instanceof BackupDamaged && !wanted.isRequired) return undefined;
    throw error;
  });
  if (!bytes) return false;
  for (const storageKey of wanted.storageKeys) await to.put(storageKey, bytes);
  return true;
}

/** Answers how many documents had no bytes in the backup. */
async function restoreObjects(storage: ObjectStorage, options: RestoreOptions): Promise<number> {
  const { place, backup, signal, show } = options;
  let done = 0;
  let lost = 0;
  for await (const { objects } of wantedObjects(place.storage, [backup])) {
    await fewAtOnce(objects.values(), async (wanted) => {
      signal.throwIfAborted();
      if (!(await restoreObject(place.storage, storage, wanted))) lost += wanted.storageKeys.length;
      done += wanted.storageKeys.length;
      show(
        `Restored ${done.toLocaleString('en')} of ${backup.documents.count.toLocaleString('en')} documents`,
      );
    });
  }
  return lost;
}

/**
 * Fills an empty installation: objects first, then all rows in one transaction, so that whatever breaks off
 * leaves an installation without a single record, in which the same restore can be run again. Answers how many
 * documents had gone bad before the backup was made: they have no file.
 */
export async function restoreBackup(ctx: Context, options: RestoreOptions): Promise<number> {
  const { backup, place } = options;
  const { storage, pool } = ctx.deps;
  const lost = await withOwnConnection(pool, async ({ client }) => {
    await refuseUnfit(client, backup);
    await refuseFilledStorage(storage, backup);
    if (options.secretKey) await replaceSecretKey(ctx.deps.config.dataDir, options.secretKey);
    const withoutFile = await restoreObjects(storage, options);
    await loadTables(client, place.storage, backup, options);
    return withoutFile;
  });
  await migrate(pool);
  await recordActivity(
    ctx,
    'backup.restored',
    { type: 'backup', id: null, label: backup.id },
    { place: place.name, documents: backup.documents.count },
  );
  await storage.delete(markerKey);
  return lost;
}
