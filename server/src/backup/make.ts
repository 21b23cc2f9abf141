import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../core/context.ts';
import { reasonOf } from '../core/log.ts';
import { keyFingerprint } from '../crypto/keys.ts';
import { loadSecretKey } from '../crypto/secret-key.ts';
import { withMaintenanceLock } from '../db/maintenance-lock.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { runConcurrent } from '../storage/run-concurrent.ts';
import { tryRead } from '../storage/try-read.ts';
import { isUnfinished, listBackups } from './catalogue.ts';
import {
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
import { putPart, readPartIfIntact, sha256Of } from './parts.ts';
import { type RemoveOptions, removeOldBackups } from './remove.ts';
import { type Progress, takeSnapshot } from './snapshot.ts';
import type { BackupTarget } from './target.ts';

export type MakeOptions = {
  target: BackupTarget;
  /** How many backups to keep, including this one; undefined keeps all. */
  keep: number | undefined;
  /** Fails if all earlier backups are gone, because the disk may not be mounted. */
  expectEarlierBackups: boolean;
  signal: AbortSignal;
  show: Progress;
};

export type BackupResult = { manifest: Manifest; newObjects: number; newBytes: number };

// A larger number indicates a wrong storage, not damaged documents.
const maxUnreadable = 1_000;

type CopyResult = { newObjects: number; newBytes: number; unreadable: string[] };

/** The bytes of the first intact copy. */
async function readDocument(storage: ObjectStorage, wanted: WantedObject): Promise<Buffer | undefined> {
  for (const key of wanted.storageKeys) {
    const part = { ...partOf(wanted), key };
    const bytes = await tryRead(storage, () => readPartIfIntact(storage, part));
    if (bytes) return bytes;
  }
  return undefined;
}

/** Copies only objects that the target lacks. */
async function copyObjects(
  documents: ObjectStorage,
  target: ObjectStorage,
  backup: Manifest,
  { signal, show }: MakeOptions,
): Promise<CopyResult> {
  const outcome: CopyResult = { newObjects: 0, newBytes: 0, unreadable: [] };
  let done = 0;
  for await (const { folder, objects } of wantedObjects(target, [backup])) {
    const stored = objects.size > 0 ? await storedObjects(target, folder) : new Map<string, number>();
    await runConcurrent(objects.values(), async (wanted) => {
      signal.throwIfAborted();
      if (stored.get(wanted.sha256) !== wanted.size) {
        const bytes = await readDocument(documents, wanted);
        if (bytes) {
          await target.put(objectKeyOf(wanted.sha256), bytes);
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

async function refuseVanishedBackups({ db }: Context, target: BackupTarget): Promise<void> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from activity where action = 'backup.completed' and detail ->> 'place' = ${target.name})
      as known`.execute(db);
  if (!rows[0]?.known || (await listBackups(target)).some((backup) => !isUnfinished(backup))) return;
  throw new BackupRefused(
    `The backups in ${target.name} are gone: is the right disk mounted? ` +
      'To start with a new backup there: npm run backup',
  );
}

async function writeManifest(target: ObjectStorage, backup: Manifest): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(backup, null, 2)}\n`);
  await target.put(manifestChecksumKey(backup.id), Buffer.from(`${sha256Of(bytes)}\n`));
  await target.put(manifestKey(backup.id), bytes);
  await target.delete(unfinishedKey(backup.id));
}

async function makeWithLock(
  ctx: Context,
  options: MakeOptions,
  confirmLock: () => Promise<unknown>,
): Promise<BackupResult> {
  const { target, keep, signal } = options;
  const { secretKey, dataDir } = ctx.deps.config;
  if (options.expectEarlierBackups) await refuseVanishedBackups(ctx, target);
  const startedAt = ctx.deps.clock.now();
  const id = newBackupId(startedAt, randomBytes(4).toString('hex'));
  await target.put(unfinishedKey(id), Buffer.from(`begun ${startedAt.toISOString()}\n`));
  // A key from the settings is kept by the operator.
  const secret_key =
    secretKey === undefined
      ? await putPart(target, secretKeyKey(id), Buffer.from(await loadSecretKey(dataDir)))
      : null;
  const snapshot = await takeSnapshot(ctx.deps.pool, target, id, options);
  const draft: Manifest = {
    format: 1,
    id,
    ...snapshot,
    finished_at: startedAt.toISOString(),
    key_fingerprint: keyFingerprint(ctx.deps.keys),
    secret_key,
    unreadable: [],
  };
  const { unreadable, ...copied } = await copyObjects(ctx.deps.storage, target, draft, options);
  await confirmLock();
  const manifest = { ...draft, unreadable, finished_at: ctx.deps.clock.now().toISOString() };
  await writeManifest(target, manifest);
  await recordActivity(
    ctx,
    'backup.completed',
    { type: 'backup', id: null, label: id },
    { place: target.name, documents: snapshot.documents.count, unreadable: unreadable.length },
  );
  if (keep !== undefined) await removeOld(target, { newest: manifest, keep, signal, confirmLock });
  return { manifest, ...copied };
}

async function removeOld(target: ObjectStorage, options: RemoveOptions): Promise<void> {
  await removeOldBackups(target, options).catch((error: unknown) => {
    const reason = reasonOf(error);
    throw new BackupRefused(`Backup ${options.newest.id} is complete, but older ones were kept: ${reason}`);
  });
}

/** A consistent copy of a running installation. The lock keeps jobs from deleting objects of the snapshot meanwhile. */
export async function makeBackup(ctx: Context, options: MakeOptions): Promise<BackupResult> {
  const done = await withMaintenanceLock(ctx.deps.pool, 'backup', (confirm) =>
    makeWithLock(ctx, options, confirm),
  );
  if (!done) throw new BackupRunning('Another backup is running');
  return done.result;
}
