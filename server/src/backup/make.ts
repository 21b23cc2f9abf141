import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../core/context.ts';
import { reasonOf } from '../core/log.ts';
import { keyFingerprint } from '../crypto/keys.ts';
import { withMaintenanceLock } from '../db/maintenance-lock.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { runConcurrent } from '../storage/run-concurrent.ts';
import { tryRead } from '../storage/try-read.ts';
import { isUnfinished, listBackups } from './catalogue.ts';
import {
  BackupDamaged,
  BackupRefused,
  BackupRunning,
  type Manifest,
  manifestChecksumKey,
  manifestKey,
  newBackupId,
  objectKeyOf,
  secretKeyKey,
  unfinishedKey,
} from './layout.ts';
import { partOf, storedObjects, type WantedObject, wantedObjects } from './objects.ts';
import { putPart, readPart, sha256Of } from './parts.ts';
import type { Place } from './place.ts';
import { type RemoveOptions, removeOldBackups } from './remove.ts';
import { type Progress, takeSnapshot } from './snapshot.ts';

export type MakeOptions = {
  place: Place;
  /** The key stored in the data folder, which must be backed up too. */
  storedSecretKey: string | undefined;
  /** How many backups to keep, including this one; undefined keeps all. */
  keep: number | undefined;
  /** Fails if earlier backups are gone: the disk may not be mounted. */
  expectEarlierBackups: boolean;
  signal: AbortSignal;
  show: Progress;
};

export type BackupResult = { manifest: Manifest; newObjects: number; newBytes: number };

// More than that points to a wrong storage, not to damaged documents.
const maxUnreadable = 1_000;

type CopyResult = { newObjects: number; newBytes: number; unreadable: string[] };

/** Tries each copy until one is intact. */
async function readDocument(storage: ObjectStorage, wanted: WantedObject): Promise<Buffer | undefined> {
  for (const key of wanted.storageKeys) {
    const read = () => readPart(storage, { ...partOf(wanted), key });
    const bytes = await tryRead(storage, read).catch((error: unknown) => {
      if (error instanceof BackupDamaged) return undefined;
      throw error;
    });
    if (bytes) return bytes;
  }
  return undefined;
}

/** Copies only objects that the place does not have yet. */
async function copyObjects(
  from: ObjectStorage,
  place: ObjectStorage,
  backup: Manifest,
  { signal, show }: MakeOptions,
): Promise<CopyResult> {
  const outcome: CopyResult = { newObjects: 0, newBytes: 0, unreadable: [] };
  let done = 0;
  for await (const { folder, objects } of wantedObjects(place, [backup])) {
    const stored = objects.size > 0 ? await storedObjects(place, folder) : new Map<string, number>();
    await runConcurrent(objects.values(), async (wanted) => {
      signal.throwIfAborted();
      if (stored.get(wanted.sha256) !== wanted.size) {
        const bytes = await readDocument(from, wanted);
        if (bytes) {
          await place.put(objectKeyOf(wanted.sha256), bytes);
          outcome.newObjects += 1;
          outcome.newBytes += bytes.length;
        } else if (outcome.unreadable.push(wanted.sha256) > maxUnreadable) {
          throw new BackupRefused(
            `More than ${maxUnreadable} documents are missing in the storage: is it the right one?`,
          );
        }
      }
      done += 1;
      show(
        `Copied ${done.toLocaleString('en')} of ${backup.documents.objects.toLocaleString('en')} documents`,
      );
    });
  }
  return outcome;
}

async function refuseVanishedBackups({ db }: Context, { name, storage }: Place): Promise<void> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from activity where action = 'backup.completed' and detail ->> 'place' = ${name})
      as known`.execute(db);
  if (!rows[0]?.known || (await listBackups(storage)).some((backup) => !isUnfinished(backup))) return;
  throw new BackupRefused(
    `There is no backup in ${name} any more, where some were made before: is the right disk there? ` +
      'To begin anew: npm run backup',
  );
}

async function writeManifest(place: ObjectStorage, backup: Manifest): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(backup, null, 2)}\n`);
  await place.put(manifestChecksumKey(backup.id), Buffer.from(`${sha256Of(bytes)}\n`));
  await place.put(manifestKey(backup.id), bytes);
  await place.delete(unfinishedKey(backup.id));
}

async function makeWithLock(
  ctx: Context,
  options: MakeOptions,
  confirmLock: () => Promise<unknown>,
): Promise<BackupResult> {
  const { place, storedSecretKey, keep, signal } = options;
  if (options.expectEarlierBackups) await refuseVanishedBackups(ctx, place);
  const startedAt = ctx.deps.clock.now();
  const id = newBackupId(startedAt, randomBytes(4).toString('hex'));
  await place.storage.put(unfinishedKey(id), Buffer.from(`begun ${startedAt.toISOString()}\n`));
  const secret_key =
    storedSecretKey === undefined
      ? null
      : await putPart(place.storage, secretKeyKey(id), Buffer.from(storedSecretKey));
  const snapshot = await takeSnapshot(ctx.deps.pool, place.storage, id, options);
  const draft: Manifest = {
    format: 1,
    id,
    ...snapshot,
    finished_at: startedAt.toISOString(),
    key_fingerprint: keyFingerprint(ctx.deps.keys),
    secret_key,
    unreadable: [],
  };
  const { unreadable, ...copied } = await copyObjects(ctx.deps.storage, place.storage, draft, options);
  await confirmLock();
  const manifest = { ...draft, unreadable, finished_at: ctx.deps.clock.now().toISOString() };
  await writeManifest(place.storage, manifest);
  await recordActivity(
    ctx,
    'backup.completed',
    { type: 'backup', id: null, label: id },
    { place: place.name, documents: snapshot.documents.count, unreadable: unreadable.length },
  );
  if (keep !== undefined) await removeOld(place.storage, { newest: manifest, keep, signal, confirmLock });
  return { manifest, ...copied };
}

async function removeOld(place: ObjectStorage, options: RemoveOptions): Promise<void> {
  await removeOldBackups(place, options).catch((error: unknown) => {
    const reason = reasonOf(error);
    throw new BackupRefused(`Backup ${options.newest.id} is complete, but older ones were kept: ${reason}`);
  });
}

/**
 * A consistent copy of a running installation. No object is deleted meanwhile, so every object in the
 * snapshot can still be read.
 */
export async function makeBackup(ctx: Context, options: MakeOptions): Promise<BackupResult> {
  const done = await withMaintenanceLock(ctx.deps.pool, 'backup', (confirm) =>
    makeWithLock(ctx, options, confirm),
  );
  if (!done) throw new BackupRunning('Another backup is being made right now');
  return done.result;
}
