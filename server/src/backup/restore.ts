import type pg from 'pg';
import type { Context } from '../context.ts';
import { replaceSecretKey } from '../crypto/secret-key.ts';
import { migrate, newestMigration } from '../db/migrate.ts';
import { withOwnConnection } from '../db/own-connection.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import { type CheckResult, checkDocuments } from '../modules/documents/check.ts';
import { fewAtOnce } from '../storage/few-at-once.ts';
import { ObjectMissingError, type ObjectStorage } from '../storage/port.ts';
import { BackupRefused, type Manifest } from './layout.ts';
import { loadTables, refuseFilledDatabase, refuseRunningServers } from './load.ts';
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

async function restoreObject(from: ObjectStorage, to: ObjectStorage, wanted: WantedObject): Promise<void> {
  const bytes = await readPart(from, partOf(wanted));
  for (const storageKey of wanted.storageKeys) await to.put(storageKey, bytes);
}

/** Answers how many documents had no bytes in the backup. */
async function restoreObjects(storage: ObjectStorage, options: RestoreOptions): Promise<number> {
  const { place, backup, signal, show } = options;
  const unreadable = new Set(backup.unreadable);
  let done = 0;
  let lost = 0;
  for await (const { objects } of wantedObjects(place.storage, [backup])) {
    await fewAtOnce(objects.values(), async (wanted) => {
      signal.throwIfAborted();
      if (unreadable.has(wanted.sha256)) lost += wanted.storageKeys.length;
      else await restoreObject(place.storage, storage, wanted);
      done += wanted.storageKeys.length;
      show(
        `Restored ${done.toLocaleString('en')} of ${backup.documents.count.toLocaleString('en')} documents`,
      );
    });
  }
  return lost;
}

export type Restored = {
  check: CheckResult;
  /** So many documents had gone bad before the backup was made: they have no file. */
  lost: number;
};

async function switchMfaOff(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  await client.query('update users set mfa_secret = null, mfa_pending_secret = null, mfa_last_step = null');
  await client.query('delete from recovery_codes');
  await client.query('commit');
}

/**
 * Fills an empty installation: objects first, then all rows in one transaction, so that whatever breaks off
 * leaves an installation without a single record, in which the same restore can be run again.
 */
export async function restoreBackup(ctx: Context, pool: pg.Pool, options: RestoreOptions): Promise<Restored> {
  const { backup, place } = options;
  const { storage } = ctx.deps;
  const lost = await withOwnConnection(pool, async ({ client }) => {
    await refuseRunningServers(client);
    await refuseFilledDatabase(client, backup);
    await refuseFilledStorage(storage, backup);
    if (options.secretKey) await replaceSecretKey(ctx.deps.config.dataDir, options.secretKey);
    const withoutFile = await restoreObjects(storage, options);
    await loadTables(client, place.storage, backup, options);
    if (options.withoutMfa) await switchMfaOff(client);
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
  return { check: await checkDocuments(ctx, options), lost };
}
