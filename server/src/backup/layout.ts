import { z } from 'zod';
import { baselineVersion, schemaVersionOf } from '../db/migrate.ts';

/*
 * The files of a backup target:
 *
 *   backups/ID/manifest.json        what the backup consists of, with checksums; written last
 *   backups/ID/manifest.sha256      the checksum of that file
 *   backups/ID/unfinished           exists until the manifest does, and again during removal
 *   backups/ID/tables/NAME/00001.gz rows in the text format of COPY, in parts
 *   backups/ID/documents/00001.gz   one line per document: checksum, size and storage key, sorted
 *   backups/ID/secret.key           the secret key, if it is stored in the data folder
 *   objects/ab/ab12…                the bytes of documents by checksum, shared by all backups
 */

/** The migration that makes each table, in the order of loading: referenced tables come first. */
const migrationOf = {
  users: 1,
  recovery_codes: 1,
  passkeys: 1,
  api_tokens: 1,
  customers: 1,
  documents: 1,
  document_texts: 1,
  document_pages: 1,
  document_words: 4,
  known_words: 1,
  activity: 1,
  activity_seals: 1,
  activity_forwarding: 1,
  record_counts: 1,
} as const;
export type BackedUpTable = keyof typeof migrationOf;
export const backedUpTables = Object.keys(migrationOf) as BackedUpTable[];

/**
 * After a restore users sign in again; throttles, the refusals of the last hour, the preparation and collection of
 * words and the turns of text extraction start over; thumbnails and previews are made again. The manifest holds the schema version.
 */
export const tablesLeftOut = [
  'sessions',
  'mfa_challenges',
  'used_challenges',
  'throttles',
  'counted_refusals',
  'prepared_words',
  'collected_words',
  'document_files',
  'reading_turns',
  'schema_migrations',
] as const;

const checksum = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const sqlName = z.string().regex(/^[a-z][a-z0-9_]*$/);

const part = z.strictObject({ key: z.string(), bytes: count, sha256: checksum });
export type Part = z.infer<typeof part>;

const table = z.strictObject({
  name: sqlName,
  columns: z.array(sqlName).min(1),
  rows: count,
  parts: z.array(part),
  /** The next id of the sequence; null for tables without one. */
  next_id: z.number().int().positive().nullable(),
});
export type TableBackup = z.infer<typeof table>;

const manifestFields = z.strictObject({
  format: z.literal(1),
  id: z.string(),
  /** When the snapshot was taken. */
  taken_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  /** The newest migration of the database. */
  schema_version: z.number().int().positive(),
  /** Identifies the key that encrypts the MFA seeds without revealing it. */
  key_fingerprint: z.string(),
  secret_key: part.nullable(),
  tables: z.array(table),
  documents: z.strictObject({ count, objects: count, bytes: count, parts: z.array(part) }),
  /** Checksums of documents that were already missing or damaged. */
  unreadable: z.array(checksum),
});
export type Manifest = z.infer<typeof manifestFields>;

/** Backups of versions before 0.9 had other tables. They are listed, verified and removed, but not restored. */
const isComplete = ({ schema_version, tables }: Manifest) =>
  schema_version < baselineVersion ||
  backedUpTables
    .filter((name) => schemaVersionOf(migrationOf[name]) <= schema_version)
    .every((name) => tables.some((backup) => backup.name === name));

export const manifest = manifestFields.refine(isComplete, 'a table is missing');

const backupId = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/;

/** Sorts by time, to the millisecond. */
export function newBackupId(now: Date, random: string): string {
  return `${now.toISOString().replaceAll(/[:.]/g, '-')}-${random}`;
}

export const isBackupId = (text: string) => backupId.test(text);

export const backupsPrefix = 'backups/';
const objectsPrefix = 'objects/';
export const folderOf = (id: string) => `${backupsPrefix}${id}`;
export const manifestKey = (id: string) => `${folderOf(id)}/manifest.json`;
export const manifestChecksumKey = (id: string) => `${folderOf(id)}/manifest.sha256`;
export const unfinishedKey = (id: string) => `${folderOf(id)}/unfinished`;
export const secretKeyKey = (id: string) => `${folderOf(id)}/secret.key`;

/** Objects are spread over 256 folders, which are scanned one by one. */
export const objectFolders = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));
export const objectFolderPrefix = (folder: string) => `${objectsPrefix}${folder}/`;
export const objectKeyOf = (sha256: string) => `${objectFolderPrefix(sha256.slice(0, 2))}${sha256}`;

/** All files of a backup except its objects. */
export function partsOf(backup: Manifest): Part[] {
  const own = backup.secret_key ? [backup.secret_key] : [];
  return [...own, ...backup.tables.flatMap(({ parts }) => parts), ...backup.documents.parts];
}

/** The backup differs from what was written; the message names the file and the problem. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

/** The operation is not possible; the message says why and what to do. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

/** Another backup holds the lock. */
export class BackupRunning extends BackupRefused {
  override name = 'BackupRunning';
}
