import { countText } from '../core/text.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { runConcurrent } from '../storage/run-concurrent.ts';
import { type BackupFiles, isUnfinished, listBackups, noSuchBackup, readManifest } from './catalogue.ts';
import {
  BackupDamaged,
  backupsPrefix,
  type Manifest,
  manifestChecksumKey,
  manifestKey,
  objectKeyOf,
  type Part,
  partsOf,
  unfinishedKey,
} from './layout.ts';
import { partOf, storedObjects, type WantedObject, wantedObjects } from './objects.ts';
import { readPart } from './parts.ts';
import type { Progress } from './snapshot.ts';

export type Verification = {
  backups: Manifest[];
  /** Interrupted backups; the next backup removes them. */
  unfinished: string[];
  /** One line each. */
  problems: string[];
};

export type VerifyOptions = { signal: AbortSignal; show: Progress };

type Run = VerifyOptions & { place: ObjectStorage; problems: string[]; objectsRead: number };

const strayText = (name: string) => `${name} does not belong to any backup`;

/** Damage is a finding; an unreadable place is a failure. */
async function collectDamage<T>(problems: string[], work: () => Promise<T>): Promise<T | undefined> {
  return work().catch((error: unknown) => {
    if (!(error instanceof BackupDamaged)) throw error;
    problems.push(error.message);
    return undefined;
  });
}

async function verifyPart({ place, problems }: Run, part: Part): Promise<void> {
  await collectDamage(problems, () => readPart(place, part));
}

async function verifyObject(run: Run, wanted: WantedObject): Promise<void> {
  run.signal.throwIfAborted();
  await verifyPart(run, partOf(wanted));
  run.objectsRead += 1;
  run.show(`${countText(run.objectsRead, 'document')} read`);
}

/** Every byte of every file of the backup, except its objects. */
async function verifyFiles(run: Run, id: string): Promise<Manifest | undefined> {
  const manifest = await collectDamage(run.problems, () => readManifest(run.place, id));
  await runConcurrent(manifest ? partsOf(manifest) : [], (part) => verifyPart(run, part));
  return manifest;
}

function reportExtraFiles({ problems }: Run, { id, files }: BackupFiles, manifest: Manifest): void {
  const expected = new Set([manifestKey(id), manifestChecksumKey(id), unfinishedKey(id)]);
  for (const { key } of partsOf(manifest)) expected.add(key);
  for (const key of files.keys()) {
    if (!expected.has(key)) problems.push(`${key} does not belong to the backup`);
  }
}

const countDocuments = (objects: Map<string, WantedObject>) =>
  [...objects.values()].reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);

function compareCounts({ problems }: Run, backups: Manifest[], listed: number): void {
  const expected = backups.reduce((sum, backup) => sum + backup.documents.count, 0);
  if (listed !== expected)
    problems.push(`the lists name ${countText(listed, 'document')} instead of ${expected}`);
}

const folderPattern = /^objects\/([0-9a-f]{2})\//;

/** Returns the object folders that exist, and reports files outside of backups and objects. */
async function findObjectFolders({ place, problems }: Run): Promise<Set<string>> {
  const folders = new Set<string>();
  const classify = (name: string) => {
    const folder = folderPattern.exec(name)?.[1];
    if (folder) folders.add(folder);
    else if (!name.startsWith(backupsPrefix)) problems.push(strayText(name));
  };
  for await (const { key } of place.list('', classify)) classify(key);
  return folders;
}

/** Reads each object once for all backups, and reports objects that no backup refers to. */
async function verifyAllObjects(run: Run, backups: Manifest[], allowUnwanted: boolean): Promise<void> {
  let documents = 0;
  const onStray = (name: string) => run.problems.push(strayText(name));
  const folders = await findObjectFolders(run);
  for await (const { folder, objects } of wantedObjects(run.place, backups)) {
    documents += countDocuments(objects);
    // Listing an empty folder costs a request too, and there may be 256.
    const stored: Map<string, number> = folders.has(folder)
      ? await storedObjects(run.place, folder, onStray)
      : new Map();
    for (const [sha256, size] of stored) {
      if (objects.has(sha256)) continue;
      if (!allowUnwanted) onStray(objectKeyOf(sha256));
      else objects.set(sha256, { sha256, size, storageKeys: [], isRequired: false });
    }
    const wanted = [...objects.values()].filter(({ sha256, isRequired }) => isRequired || stored.has(sha256));
    await runConcurrent(wanted, (object) => verifyObject(run, object));
  }
  compareCounts(run, backups, documents);
}

/** Reads the whole place and compares it with the checksums of the manifests; changes nothing. */
export async function verifyPlace(place: ObjectStorage, options: VerifyOptions): Promise<Verification> {
  const problems: string[] = [];
  const run: Run = { ...options, place, problems, objectsRead: 0 };
  const found = await listBackups(place, (name) => problems.push(strayText(name)));
  const unfinished = found.filter(isUnfinished).map(({ id }) => id);
  const complete = found.filter((files) => !isUnfinished(files));
  if (complete.length === 0 && problems.length === 0) throw noSuchBackup(undefined);
  const backups: Manifest[] = [];
  for (const files of complete) {
    options.signal.throwIfAborted();
    const manifest = await verifyFiles(run, files.id);
    if (!manifest) continue;
    reportExtraFiles(run, files, manifest);
    backups.push(manifest);
  }
  // Needs intact document lists; damaged ones were already reported.
  if (problems.length === 0) await verifyAllObjects(run, backups, unfinished.length > 0);
  return { backups, unfinished, problems };
}

/**
 * Verifies what a restore of this backup needs. Ignores everything else in the place, so that damage there
 * does not prevent the restore.
 */
export async function verifyBackup(
  place: ObjectStorage,
  id: string,
  options: VerifyOptions,
): Promise<Verification> {
  const run: Run = { ...options, place, problems: [], objectsRead: 0 };
  const manifest = await verifyFiles(run, id);
  const backups = manifest ? [manifest] : [];
  if (run.problems.length === 0) {
    let documents = 0;
    for await (const { objects } of wantedObjects(place, backups)) {
      documents += countDocuments(objects);
      const required = [...objects.values()].filter(({ isRequired }) => isRequired);
      await runConcurrent(required, (object) => verifyObject(run, object));
    }
    compareCounts(run, backups, documents);
  }
  return { backups, unfinished: [], problems: run.problems };
}
