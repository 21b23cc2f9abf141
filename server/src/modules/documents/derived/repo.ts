import { sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { FileKind } from '../../../db/schema.ts';

/** Requests the file, even if it exists. Does nothing if the document was deleted. */
export async function requestFile(db: Database, documentId: number, kind: FileKind): Promise<void> {
  await sql`
    insert into document_files (document_id, kind) select id, ${kind} from documents where id = ${documentId}
    on conflict (document_id, kind) do update set made_at = null, attempts = 0, claimed_until = null`.execute(
    db,
  );
}

/** Requests the missing thumbnails of all documents whose text was read. Backups contain none. */
export async function requestAllFiles(db: Database): Promise<void> {
  await sql`
    insert into document_files (document_id, kind)
    select document_id, 'thumbnail' from document_texts where read_at is not null
    on conflict do nothing`.execute(db);
}

/** A requested file: the document to create it from. */
export type RequestedFile = {
  id: number;
  mime_type: string;
  file_size: number;
  sha256: Buffer;
  storage_key: string;
  /** Including the current one. */
  attempts: number;
};

// Longer than any attempt takes.
const leaseMs = 5 * 60_000;

/**
 * Leases the requested file of the given document, or of the newest document, so that no other caller gets it. Counts
 * the attempt in advance, so that a file that crashes the server is not retried for ever.
 */
export async function leaseFile(
  db: Database,
  now: Date,
  kind: FileKind,
  documentId?: number,
): Promise<RequestedFile | undefined> {
  const { rows } = await sql<RequestedFile>`
    update document_files set attempts = attempts + 1, claimed_until = ${new Date(now.getTime() + leaseMs)}
    from documents
    where documents.id = document_id and kind = ${kind} and document_id = (
      select document_id from document_files
      where made_at is null and kind = ${kind} and (claimed_until is null or claimed_until < ${now})
        and ${documentId === undefined ? sql`true` : sql`document_id = ${documentId}`}
      order by document_id desc limit 1 for update skip locked
    )
    returning documents.id, documents.mime_type, documents.file_size, documents.sha256,
      documents.storage_key, attempts`.execute(db);
  return rows[0];
}

/** For failures that the document did not cause: the attempt does not count. */
export async function releaseFile(db: Database, documentId: number, kind: FileKind): Promise<void> {
  await db
    .updateTable('document_files')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), claimed_until: null }))
    .where('document_id', '=', documentId)
    .where('kind', '=', kind)
    .execute();
}

/** Retries the file at this time. The attempt counts. */
export async function postponeFile(
  db: Database,
  documentId: number,
  kind: FileKind,
  until: Date,
): Promise<void> {
  await db
    .updateTable('document_files')
    .set({ claimed_until: until })
    .where('document_id', '=', documentId)
    .where('kind', '=', kind)
    .execute();
}

export type MadeFile = {
  storage_key: string | null;
  file_size: number | null;
  sha256: Buffer | null;
  made_at: Date;
};

/** Returns the key of the replaced object; undefined if the document was deleted. */
export async function saveFile(
  db: Database,
  documentId: number,
  kind: FileKind,
  { storage_key, file_size, sha256, made_at }: MadeFile,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ replaced: string | null }>`
    update document_files as file
    set storage_key = ${storage_key}, file_size = ${file_size}, sha256 = ${sha256}, made_at = ${made_at},
      claimed_until = null
    from (
      select document_id, kind, storage_key from document_files
      where document_id = ${documentId} and kind = ${kind} for update
    ) as old
    where file.document_id = old.document_id and file.kind = old.kind
    returning old.storage_key as replaced`.execute(db);
  return rows[0]?.replaced;
}

/** Requests a file again whose object is gone. */
export async function resetFile(db: Database, storageKey: string): Promise<void> {
  await db
    .updateTable('document_files')
    .set({ storage_key: null, file_size: null, sha256: null, made_at: null, attempts: 0 })
    .where('storage_key', '=', storageKey)
    .execute();
}

export type StoredFile = {
  document_id: number;
  storage_key: string;
  file_size: number;
  /** Null in thumbnails of versions before 1.0. */
  sha256: Buffer | null;
};

const stored = (db: Database) =>
  db
    .selectFrom('document_files')
    .select(['document_id', 'storage_key', 'file_size', 'sha256'])
    .$narrowType<StoredFile>()
    .where('storage_key', 'is not', null);

export function findFile(db: Database, documentId: number, kind: FileKind): Promise<StoredFile | undefined> {
  return stored(db).where('document_id', '=', documentId).where('kind', '=', kind).executeTakeFirst();
}

export function listFilesOf(db: Database, documentId: number): Promise<StoredFile[]> {
  return stored(db).where('document_id', '=', documentId).execute();
}

/** The next files, by document. */
export function listFiles(db: Database, kind: FileKind, after: number, limit: number): Promise<StoredFile[]> {
  return stored(db)
    .where('kind', '=', kind)
    .where('document_id', '>', after)
    .orderBy('document_id')
    .limit(limit)
    .execute();
}

/** Which of these objects belong to a document. */
export async function findKnownKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await stored(db).where('storage_key', '=', sql<string>`any(${keys})`).execute();
  return new Set(rows.map(({ storage_key }) => storage_key));
}
