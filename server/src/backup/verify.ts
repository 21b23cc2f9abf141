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
import { partOf, storedObjects, type WantedFolder, type WantedObject, wantedObjects } from './objects.ts';
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

type Run = VerifyOptions & { target: ObjectStorage; problems: string[]; objectsRead: number };

const strayText = (name: string) => `${name} does not belong to any backup`;

/** Reports damage as a problem; throws if the target cannot be read. */
async function collectDamage<T>(problems: string[], work: () => Promise<T>): Promise<T | undefined> {
  return work().catch((error: unknown) => {
    if (!(error instanceof BackupDamaged)) throw error;
    problems.push(error.message);
    return undefined;
  });
}

async function verifyPart({ target, problems }: Run, part: Part): Promise<void> {
  await collectDamage(problems, () => readPart(target, part));
}

async function verifyObject(run: Run, wanted: WantedObject): Promise<void> {
  run.signal.throwIfAborted();
  await verifyPart(run, partOf(wanted));
  run.objectsRead += 1;
  run.show(`${countText(run.objectsRead, 'document')} read`);
}

/** Every byte of every file of the backup, except its objects. */
async function verifyFiles(run: Run, id: string): Promise<Manifest | undefined> {
  const manifest = await collectDamage(run.problems, () => readManifest(run.target, id));
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

type ChooseObjects = (folder: WantedFolder) => Promise<WantedObject[]>;

const requiredOf = (objects: Map<string, WantedObject>) =>
  [...objects.values()].filter(({ isRequired }) => isRequired);

/** Reads each chosen object once for all backups. */
async function verifyObjects(run: Run, backups: Manifest[], choose: ChooseObjects): Promise<void> {
  let listed = 0;
  for await (const folder of wantedObjects(run.target, backups)) {
    for (const { storageKeys } of folder.objects.values()) listed += storageKeys.length;
    await runConcurrent(await choose(folder), (object) => verifyObject(run, object));
  }
  const expected = backups.reduce((sum, { documents }) => sum + documents.count, 0);
  if (listed === expected) return;
  run.problems.push(`the lists name ${countText(listed, 'document')} instead of ${expected}`);
}

const folderPattern = /^objects\/([0-9a-f]{2})\//;

/** Returns the object folders that exist, and reports files outside of backups and objects. */
async function findObjectFolders({ target, problems }: Run): Promise<Set<string>> {
  const folders = new Set<string>();
  const classify = (name: string) => {
    const folder = folderPattern.exec(name)?.[1];
    if (folder) folders.add(folder);
    else if (!name.startsWith(backupsPrefix)) problems.push(strayText(name));
  };
  for await (const { key } of target.list('', classify)) classify(key);
  return folders;
}

/** Also reads objects that no backup refers to, or reports them as problems. */
async function verifyAllObjects(run: Run, backups: Manifest[], allowUnwanted: boolean): Promise<void> {
  const onStray = (name: string) => run.problems.push(strayText(name));
  const folders = await findObjectFolders(run);
  await verifyObjects(run, backups, async ({ folder, objects }) => {
    // Listing an empty folder costs a request too, and there may be 256.
    if (!folders.has(folder)) return requiredOf(objects);
    const stored = await storedObjects(run.target, folder, onStray);
    const chosen = [...objects.values()].filter(({ sha256, isRequired }) => isRequired || stored.has(sha256));
    for (const [sha256, size] of stored) {
      if (objects.has(sha256)) continue;
      if (allowUnwanted) chosen.push({ sha256, size, storageKeys: [], isRequired: false });
      else onStray(objectKeyOf(sha256));
    }
    return chosen;
  });
}

/** Reads all files of the target and compares them with the checksums of the manifests. */
export async function verifyTarget(target: ObjectStorage, options: VerifyOptions): Promise<Verification> {
  const problems: string[] = [];
  const run: Run = { ...options, target, problems, objectsRead: 0 };
  const found = await listBackups(target, (name) => problems.push(strayText(name)));
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
 * Verifies only what a restore of this backup needs, so that damage elsewhere in the target does not prevent the
 * restore.
 */
export async function verifyBackup(
  target: ObjectStorage,
  id: string,
  options: VerifyOptions,
): Promise<Verification> {
  const run: Run = { ...options, target, problems: [], objectsRead: 0 };
  const manifest = await verifyFiles(run, id);
  const backups = manifest ? [manifest] : [];
  if (run.problems.length === 0) {
    await verifyObjects(run, backups, async ({ objects }) => requiredOf(objects));
  }
  return { backups, unfinished: [], problems: run.problems };
}
