import { ObjectMissingError, type ObjectStorage } from '../storage/port.ts';
import {
  BackupDamaged,
  BackupRefused,
  backupsPrefix,
  isBackupId,
  type Manifest,
  manifest,
  manifestChecksumKey,
  manifestKey,
  unfinishedKey,
} from './layout.ts';
import { sha256Of } from './parts.ts';

/** A backup, and its files: size by key. */
export type BackupFiles = { id: string; files: Map<string, number> };

export const isUnfinished = ({ id, files }: BackupFiles) =>
  files.has(unfinishedKey(id)) && !files.has(manifestKey(id));

/** Oldest first, unfinished ones included. */
export async function listBackups(
  target: ObjectStorage,
  onStray?: (name: string) => void,
): Promise<BackupFiles[]> {
  const backups = new Map<string, BackupFiles>();
  for await (const { key, size } of target.list(backupsPrefix, onStray)) {
    const [id = ''] = key.slice(backupsPrefix.length).split('/');
    if (!isBackupId(id)) {
      onStray?.(key);
      continue;
    }
    const backup = backups.get(id) ?? { id, files: new Map() };
    backups.set(id, backup.files.set(key, size) && backup);
  }
  return [...backups.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function readWhole(target: ObjectStorage, key: string): Promise<Buffer> {
  const body = await target.get(key).catch((error: unknown) => {
    throw error instanceof ObjectMissingError ? new BackupDamaged(`${key} is missing`) : error;
  });
  return Buffer.concat(await body.toArray());
}

export async function readManifest(target: ObjectStorage, id: string): Promise<Manifest> {
  const key = manifestKey(id);
  const bytes = await readWhole(target, key);
  const checksum = (await readWhole(target, manifestChecksumKey(id))).toString('latin1').trim();
  if (sha256Of(bytes) !== checksum) throw new BackupDamaged(`${key} is not what was written`);
  const parsed = manifest.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) {
    throw new BackupRefused(`${key} has an unknown format: another version of this program made it`);
  }
  if (parsed.data.id !== id) throw new BackupDamaged(`${key} belongs to backup ${parsed.data.id}`);
  return parsed.data;
}

export function noSuchBackup(id: string | undefined): BackupRefused {
  return new BackupRefused(
    id === undefined ? 'There is no backup here' : `There is no complete backup ${id} here`,
  );
}

/** The given backup, or the newest complete one. */
export async function chooseBackup(target: ObjectStorage, id: string | undefined): Promise<Manifest> {
  const complete = (await listBackups(target)).filter((backup) => !isUnfinished(backup));
  const chosen = id === undefined ? complete.at(-1) : complete.find((backup) => backup.id === id);
  if (!chosen) throw noSuchBackup(id);
  return readManifest(target, chosen.id);
}
