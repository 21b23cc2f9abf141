import type { Context } from '../core/context.ts';
import { replaceSecretKey } from '../crypto/secret-key.ts';
import { baselineVersion, migrate, newestMigration } from '../db/migrate.ts';
import { withOwnConnection } from '../db/own-connection.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import { removeNote } from '../modules/activity/seals/note.ts';
import { requestAllFiles } from '../modules/documents/derived/commands.ts';
import { ObjectMissingError, type ObjectStorage } from '../storage/port.ts';
import { runConcurrent } from '../storage/run-concurrent.ts';
import { BackupRefused, type Manifest } from './layout.ts';
import { loadTables, refuseUnsuitableDatabase } from './load.ts';
import { partOf, type WantedObject, wantedObjects } from './objects.ts';
import { readPart, readPartIfIntact } from './parts.ts';
import type { Progress } from './snapshot.ts';
import type { BackupTarget } from './target.ts';

export type RestoreOptions = {
  target: BackupTarget;
  backup: Manifest;
  /** The key from the backup, to be stored in the data folder. */
  secretKey: string | undefined;
  /** Disables MFA for all users, because this installation lacks the key of the seeds. */
  withoutMfa: boolean;
  signal: AbortSignal;
  show: Progress;
};

/** Marks the objects in the storage as those of an unfinished restore. */
const markerKey = 'restore/unfinished';

/** Throws unless this program can migrate a database to the schema of the backup. */
export async function refuseUnknownSchema({ schema_version }: Manifest): Promise<void> {
  const newest = await newestMigration();
  if (schema_version > newest) {
    throw new BackupRefused(
      `The backup was made by a newer version of this program (its schema is ${schema_version}, this ` +
        `program knows ${newest}). Restore it with that version.`,
    );
  }
  if (schema_version < baselineVersion) {
    throw new BackupRefused(
      `The backup was made by a version before 0.9 (its schema is ${schema_version}). ` +
        'Restore it with version 0.9, then start this version.',
    );
  }
}

/** Documents in the storage are user data, except those of an interrupted restore of the same backup. */
async function refuseNonEmptyStorage(storage: ObjectStorage, backup: Manifest): Promise<void> {
  const marker = await storage.get(markerKey).catch((error: unknown) => {
    if (error instanceof ObjectMissingError) return undefined;
    throw error;
  });
  const unfinished = marker && Buffer.concat(await marker.toArray()).toString();
  if (unfinished === backup.id) return;
  for await (const { key } of storage.list('documents/')) {
    throw new BackupRefused(
      unfinished
        ? `The restore of another backup, ${unfinished}, was interrupted here. Finish it first.`
        : `The document storage is not empty (${key}). A backup is restored into an empty one only.`,
    );
  }
  await storage.put(markerKey, Buffer.from(backup.id));
}

/** False if this backup was made without the bytes and no other backup provided them. */
async function restoreObject(
  target: ObjectStorage,
  storage: ObjectStorage,
  wanted: WantedObject,
): Promise<boolean> {
  const read = wanted.isRequired ? readPart : readPartIfIntact;
  const bytes = await read(target, partOf(wanted));
  if (!bytes) return false;
  for (const storageKey of wanted.storageKeys) await storage.put(storageKey, bytes);
  return true;
}

/** Returns how many documents have no bytes in the backup. */
async function restoreObjects(storage: ObjectStorage, options: RestoreOptions): Promise<number> {
  const { target, backup, signal, show } = options;
  let done = 0;
  let lost = 0;
  for await (const { objects } of wantedObjects(target, [backup])) {
    await runConcurrent(objects.values(), async (wanted) => {
      signal.throwIfAborted();
      if (!(await restoreObject(target, storage, wanted))) lost += wanted.storageKeys.length;
      done += wanted.storageKeys.length;
      show(
        `Restored ${done.toLocaleString('en')} of ${backup.documents.count.toLocaleString('en')} documents`,
      );
    });
  }
  return lost;
}

/**
 * Fills an empty installation: objects first, then all rows in one transaction. An interrupted restore leaves no row
 * and can be run again. Returns how many documents have no file, because they were damaged before the backup.
 */
export async function restoreBackup(ctx: Context, options: RestoreOptions): Promise<number> {
  const { backup, target } = options;
  const { storage, pool } = ctx.deps;
  const lost = await withOwnConnection(pool, async ({ client }) => {
    await refuseUnsuitableDatabase(client, backup);
    await refuseNonEmptyStorage(storage, backup);
    // The note belongs to an earlier database.
    await removeNote(ctx.deps.config.dataDir);
    if (options.secretKey) await replaceSecretKey(ctx.deps.config.dataDir, options.secretKey);
    const withoutFile = await restoreObjects(storage, options);
    await loadTables(client, target, backup, options);
    return withoutFile;
  });
  await migrate(pool);
  await requestAllFiles(ctx.db);
  await recordActivity(
    ctx,
    'backup.restored',
    { type: 'backup', id: null, label: backup.id },
    { place: target.name, documents: backup.documents.count },
  );
  await storage.delete(markerKey);
  return lost;
}
