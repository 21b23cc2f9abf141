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
import { partOf, storedObjects, wantedObjects } from './objects.ts';
import { readPart } from './parts.ts';
import type { Progress } from './snapshot.ts';

export type Verification = {
  backups: Manifest[];
  /** Backups that broke off; they are removed by the next one. */
  unfinished: string[];
  /** What is wrong, each in a line. */
  problems: string[];
};

export type VerifyOptions = {
  /** Only this one; all when undefined. */
  id: string | undefined;
  signal: AbortSignal;
  show: Progress;
};

type Run = VerifyOptions & { place: ObjectStorage; problems: string[] };

const strayText = (name: string) => `${name} does not belong to any backup`;

/** What is damaged is a finding; a place that cannot be read is a failure. */
async function noting(problems: string[], work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof BackupDamaged)) throw error;
    problems.push(error.message);
  });
}

async function verifyPart(place: ObjectStorage, part: Part): Promise<void> {
  await readPart(place, part);
}

/** Every file of the backup, byte for byte, and no other file. */
async function verifyFiles(
  { place, problems }: Run,
  { id, files }: BackupFiles,
): Promise<Manifest | undefined> {
  let manifest: Manifest | undefined;
  await noting(problems, async () => {
    manifest = await readManifest(place, id);
  });
  if (!manifest) return undefined;
  const parts = partsOf(manifest);
  const expected = new Set([manifestKey(id), manifestSumKey(id), unfinishedKey(id)]);
  for (const part of parts) expected.add(part.key);
  for (const key of files.keys()) {
    if (!expected.has(key)) problems.push(`${key} does not belong to the backup`);
  }
  await fewAtOnce(parts, (part) => noting(problems, () => verifyPart(place, part)));
  return manifest;
}

/** Every document's bytes, once for all backups, and no bytes that none of them wants. */
async function verifyObjects(run: Run, backups: Manifest[], mayHaveMore: boolean): Promise<void> {
  const { place, problems, signal, show } = run;
  const unreadable = new Set(backups.flatMap((backup) => backup.unreadable));
  let verified = 0;
  let documents = 0;
  const onStray = (name: string) => problems.push(strayText(name));
  for await (const { folder, objects } of wantedObjects(place, backups)) {
    for (const { storageKeys } of objects.values()) documents += storageKeys.length;
    const stored = await storedObjects(place, folder, onStray);
    for (const [sha256, size] of stored) {
      if (objects.has(sha256)) continue;
      if (!mayHaveMore) onStray(objectKeyOf(sha256));
      else objects.set(sha256, { sha256, size, storageKeys: [] });
    }
    await fewAtOnce(objects.values(), async (wanted) => {
      signal.throwIfAborted();
      if (stored.has(wanted.sha256) || !unreadable.has(wanted.sha256)) {
        await noting(problems, () => verifyPart(place, partOf(wanted)));
      }
      verified += 1;
      show(`${verified.toLocaleString('en')} documents read`);
    });
  }
  const expected = backups.reduce((sum, backup) => sum + backup.documents.count, 0);
  if (documents !== expected) problems.push(`the lists name ${documents} documents instead of ${expected}`);
}

const folderShape = /^objects\/[0-9a-f]{2}\//;

/** What lies neither among the backups nor in a folder for objects. */
async function verifyNothingElse({ place, problems }: Run): Promise<void> {
  const consider = (name: string) => {
    if (!name.startsWith(backupsPrefix) && !folderShape.test(name)) problems.push(strayText(name));
  };
  for await (const { key } of place.list('', consider)) consider(key);
}

/** Reads everything again and compares it with the sums of the manifests; changes nothing. */
export async function verifyBackups(place: ObjectStorage, options: VerifyOptions): Promise<Verification> {
  const problems: string[] = [];
  const run: Run = { ...options, place, problems };
  const found = await listBackups(place, (name) => problems.push(strayText(name)));
  const unfinished = found.filter(isUnfinished).map(({ id }) => id);
  const chosen = found.filter(
    (files) => !isUnfinished(files) && (options.id === undefined || files.id === options.id),
  );
  if (chosen.length === 0 && problems.length === 0) throw noSuchBackup(options.id);
  const backups: Manifest[] = [];
  for (const files of chosen) {
    options.signal.throwIfAborted();
    const manifest = await verifyFiles(run, files);
    if (manifest) backups.push(manifest);
  }
  // Documents of a list that cannot be read cannot be found; that it cannot is a finding already.
  const isWhole = problems.length === 0;
  const mayHaveMore = !isWhole || unfinished.length > 0 || chosen.length < found.length;
  if (isWhole) await verifyNothingElse(run);
  if (isWhole) await verifyObjects(run, backups, mayHaveMore);
  return { backups, unfinished, problems };
}
