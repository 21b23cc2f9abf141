import { fewAtOnce } from '../storage/few-at-once.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { type BackupFiles, isUnfinished, listBackups, noSuchBackup, readManifest } from './catalogue.ts';
import {
  BackupDamaged,
  backupsPrefix,
  type Manifest,
  manifestKey,
  manifestSumKey,
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
  /** Backups that broke off; they are removed by the next one. */
  unfinished: string[];
  /** What is wrong, each in a line. */
  problems: string[];
};

export type VerifyOptions = { signal: AbortSignal; show: Progress };

type Run = VerifyOptions & { place: ObjectStorage; problems: string[]; objectsRead: number };

const strayText = (name: string) => `${name} does not belong to any backup`;

/** What is damaged is a finding; a place that cannot be read is a failure. */
async function noting<T>(problems: string[], work: () => Promise<T>): Promise<T | undefined> {
  return work().catch((error: unknown) => {
    if (!(error instanceof BackupDamaged)) throw error;
    problems.push(error.message);
    return undefined;
  });
}

async function verifyPart({ place, problems }: Run, part: Part): Promise<void> {
  await noting(problems, () => readPart(place, part));
}

async function verifyObject(run: Run, wanted: WantedObject): Promise<void> {
  run.signal.throwIfAborted();
  await verifyPart(run, partOf(wanted));
  run.objectsRead += 1;
  run.show(`${run.objectsRead.toLocaleString('en')} documents read`);
}

/** Every file of the backup, byte for byte. */
async function verifyFiles(run: Run, id: string): Promise<Manifest | undefined> {
  const manifest = await noting(run.problems, () => readManifest(run.place, id));
  await fewAtOnce(manifest ? partsOf(manifest) : [], (part) => verifyPart(run, part));
  return manifest;
}

function verifyNoOthers({ problems }: Run, { id, files }: BackupFiles, manifest: Manifest): void {
  const expected = new Set([manifestKey(id), manifestSumKey(id), unfinishedKey(id)]);
  for (const { key } of partsOf(manifest)) expected.add(key);
  for (const key of files.keys()) {
    if (!expected.has(key)) problems.push(`${key} does not belong to the backup`);
  }
}

const documentsIn = (objects: Map<string, WantedObject>) =>
  [...objects.values()].reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);

function compareCounts({ problems }: Run, backups: Manifest[], listed: number): void {
  const expected = backups.reduce((sum, backup) => sum + backup.documents.count, 0);
  if (listed !== expected) problems.push(`the lists name ${listed} documents instead of ${expected}`);
}

const folderShape = /^objects\/([0-9a-f]{2})\//;

/** Finds what lies neither among the backups nor in a folder for objects, and which of these folders there are. */
async function verifyNothingElse({ place, problems }: Run): Promise<Set<string>> {
  const folders = new Set<string>();
  const consider = (name: string) => {
    const folder = folderShape.exec(name)?.[1];
    if (folder) folders.add(folder);
    else if (!name.startsWith(backupsPrefix)) problems.push(strayText(name));
  };
  for await (const { key } of place.list('', consider)) consider(key);
  return folders;
}

/** Every document's bytes, once for all backups, and no bytes that none of them wants. */
async function verifyAllObjects(run: Run, backups: Manifest[], mayHaveMore: boolean): Promise<void> {
  let documents = 0;
  const onStray = (name: string) => run.problems.push(strayText(name));
  const folders = await verifyNothingElse(run);
  for await (const { folder, objects } of wantedObjects(run.place, backups)) {
    documents += documentsIn(objects);
    // Listing an empty folder costs a request too, and there may be 256 of them.
    const stored: Map<string, number> = folders.has(folder)
      ? await storedObjects(run.place, folder, onStray)
      : new Map();
    for (const [sha256, size] of stored) {
      if (objects.has(sha256)) continue;
      if (!mayHaveMore) onStray(objectKeyOf(sha256));
      else objects.set(sha256, { sha256, size, storageKeys: [], isRequired: false });
    }
    const wanted = [...objects.values()].filter(({ sha256, isRequired }) => isRequired || stored.has(sha256));
    await fewAtOnce(wanted, (object) => verifyObject(run, object));
  }
  compareCounts(run, backups, documents);
}

/** Reads everything in the place again and compares it with the sums of the manifests; changes nothing. */
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
    verifyNoOthers(run, files, manifest);
    backups.push(manifest);
  }
  // Documents of a list that cannot be read cannot be found; that it cannot is a finding already.
  if (problems.length === 0) await verifyAllObjects(run, backups, unfinished.length > 0);
  return { backups, unfinished, problems };
}

/**
 * One backup: all that it takes to restore it. Whatever else lies in the place, other backups too, is not looked
 * at: it must not keep anybody from restoring this one.
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
      documents += documentsIn(objects);
      const required = [...objects.values()].filter(({ isRequired }) => isRequired);
      await fewAtOnce(required, (object) => verifyObject(run, object));
    }
    compareCounts(run, backups, documents);
  }
  return { backups, unfinished: [], problems: run.problems };
}
