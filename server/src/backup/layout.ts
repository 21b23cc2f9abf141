import { z } from 'zod';

/*
 * What lies in the place of the backups:
 *
 *   backups/ID/manifest.json        what the backup consists of, with sums; written last
 *   backups/ID/manifest.sha256      the sum of that file
 *   backups/ID/unfinished           there until the manifest is, and again while the backup is removed
 *   backups/ID/tables/NAME/00001.gz rows in the text format of COPY, in parts
 *   backups/ID/documents/00001.gz   a line for each document: sum, size and storage key, sorted
 *   backups/ID/secret.key           the key of the data folder, when it is kept there
 *   objects/ab/ab12…                the documents' bytes under their sum, shared by all backups
 */

/** In the order in which they can be filled again: what others refer to comes first. */
export const backedUpTables = [
  'users',
  'recovery_codes',
  'customers',
  'documents',
  'activity',
  'record_counts',
] as const;
/** Of older versions: restored with the schema of that time, and dropped when it is migrated. */
const retiredTables = ['page_marks'] as const;
export type BackedUpTable = (typeof backedUpTables)[number];

/**
 * Everybody signs in again after a restore, and no wait for failed sign-ins outlives it, nor do refusals that
 * were counted in the last hour. The migrations that were applied are in the manifest.
 */
export const tablesLeftOut = [
  'sessions',
  'mfa_challenges',
  'throttles',
  'counted_refusals',
  'schema_migrations',
] as const;

const sum = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();

const part = z.strictObject({ key: z.string(), bytes: count, sha256: sum });
export type Part = z.infer<typeof part>;

const table = z.strictObject({
  name: z.enum([...backedUpTables, ...retiredTables]),
  columns: z.array(z.string().regex(/^[a-z][a-z0-9_]*$/)).min(1),
  rows: count,
  parts: z.array(part),
  /** Where the numbers of new rows go on; null where rows have none. */
  next_id: z.number().int().positive().nullable(),
});
export type TableBackup = z.infer<typeof table>;

export const manifest = z.strictObject({
  format: z.literal(1),
  id: z.string(),
  /** The moment that the backup shows. */
  taken_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  /** The newest migration of the database. */
  schema_version: z.number().int().positive(),
  /** Tells whether a key is the one that the MFA seeds were encrypted with, without giving it away. */
  key_fingerprint: z.string(),
  secret_key: part.nullable(),
  tables: z.array(table).min(backedUpTables.length),
  documents: z.strictObject({ count, objects: count, bytes: count, parts: z.array(part) }),
  /** Sums of documents that were missing or damaged already when the backup was made. */
  unreadable: z.array(sum),
});
export type Manifest = z.infer<typeof manifest>;

const backupId = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/;

/** Sorts by time, also two of one second. */
export function newBackupId(now: Date, random: string): string {
  return `${now.toISOString().replaceAll(/[:.]/g, '-')}-${random}`;
}

export const isBackupId = (text: string) => backupId.test(text);

export const backupsPrefix = 'backups/';
const objectsPrefix = 'objects/';
export const folderOf = (id: string) => `${backupsPrefix}${id}`;
export const manifestKey = (id: string) => `${folderOf(id)}/manifest.json`;
export const manifestSumKey = (id: string) => `${folderOf(id)}/manifest.sha256`;
export const unfinishedKey = (id: string) => `${folderOf(id)}/unfinished`;
export const secretKeyKey = (id: string) => `${folderOf(id)}/secret.key`;

/** Objects are spread over so many folders, and every walk through them goes folder by folder. */
export const objectFolders = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));
export const objectFolderPrefix = (folder: string) => `${objectsPrefix}${folder}/`;
export const objectKeyOf = (sha256: string) => `${objectFolderPrefix(sha256.slice(0, 2))}${sha256}`;

/** What the backup consists of, besides the documents' bytes. */
export function partsOf(backup: Manifest): Part[] {
  const own = backup.secret_key ? [backup.secret_key] : [];
  return [...own, ...backup.tables.flatMap(({ parts }) => parts), ...backup.documents.parts];
}

/** The backup is not what was written: the text names the file and what is wrong with it. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

/** It cannot be done as things are; the text says why and what to do. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

/** One at a time. */
export class BackupRunning extends BackupRefused {
  override name = 'BackupRunning';
}
