import { type Insertable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce, type Parameter } from '../../db/compiled.ts';
import { pagesOf } from '../../db/pages.ts';
import type { Schema } from '../../db/schema.ts';
import { wordsOfDocument } from '../../search/record-words.ts';

export const withNames = (db: Database) =>
  db
    .selectFrom('documents')
    .innerJoin('customers', 'customers.id', 'documents.customer_id')
    .leftJoin('users', 'users.id', 'documents.uploaded_by')
    .leftJoin('document_files as thumbnail', (join) =>
      join
        .onRef('thumbnail.document_id', '=', 'documents.id')
        .on('thumbnail.kind', '=', sql.lit('thumbnail')),
    )
    .select(sql<boolean>`thumbnail.storage_key is not null`.as('has_thumbnail'))
    .select([
      'documents.id',
      'documents.customer_id',
      'customers.name as customer_name',
      'customers.email as customer_email',
      'documents.filename',
      'documents.description',
      'documents.mime_type',
      'documents.is_protected',
      'documents.file_size',
      'documents.uploaded_at',
      'users.name as uploaded_by_name',
    ]);

export const newestFirst = (db: Database) =>
  withNames(db).orderBy('documents.uploaded_at', 'desc').orderBy('documents.id', 'desc');

export type ListedDocument = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

/** Adds the columns that lists do not need. */
const complete = (db: Database) =>
  withNames(db)
    .innerJoin('document_texts', 'document_texts.document_id', 'documents.id')
    .leftJoin('document_files as preview', (join) =>
      join.onRef('preview.document_id', '=', 'documents.id').on('preview.kind', '=', sql.lit('preview')),
    )
    .select(sql<boolean>`preview.storage_key is not null`.as('has_preview'))
    // Also true if it cannot be made.
    .select(sql<boolean>`preview.made_at is not null`.as('preview_was_tried'))
    .select(['documents.charset', 'documents.sha256', 'documents.crc32', 'documents.storage_key'])
    .select([
      'document_texts.state as text_state',
      'document_texts.reason as text_reason',
      'document_texts.page_count',
      'document_texts.language',
    ]);

export type DocumentRow = Awaited<ReturnType<ReturnType<typeof complete>['executeTakeFirstOrThrow']>>;

const selectDocument = compiledOnce((db, value: Parameter<{ id: number }>) =>
  complete(db).where('documents.id', '=', value('id')),
);

export async function findDocument(db: Database, id: number): Promise<DocumentRow | undefined> {
  return (await selectDocument(db, { id }))[0];
}

export const listDocuments = pagesOf('documents', (db, ids) =>
  newestFirst(db).where('documents.id', '=', ids),
);

const selectOfCustomer = compiledOnce((db, value: Parameter<{ customerId: number }>) =>
  newestFirst(db).where('documents.customer_id', '=', value('customerId')),
);

export function listDocumentsOfCustomer(db: Database, customerId: number): Promise<ListedDocument[]> {
  return selectOfCustomer(db, { customerId });
}

export function listDocumentsById(db: Database, ids: number[]): Promise<ListedDocument[]> {
  return withNames(db).where('documents.id', 'in', ids).execute();
}

/** Which of these names the customer already has. */
export async function findTakenKeys(db: Database, customerId: number, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('documents')
    .select('filename_key')
    .where('customer_id', '=', customerId)
    .where('filename_key', 'in', keys)
    .execute();
  return new Set(rows.map((row) => row.filename_key));
}

/** Undefined if a document with this upload id exists. Waits for a concurrent insert of the same id. */
export async function insertDocument(
  db: Database,
  values: Omit<Insertable<Schema['documents']>, 'words'>,
): Promise<number | undefined> {
  const row = await db
    .insertInto('documents')
    .values({ ...values, words: wordsOfDocument(values) })
    .onConflict((conflict) =>
      conflict.columns(['uploaded_by', 'upload_id']).where('upload_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function findUpload(
  db: Database,
  userId: number,
  uploadId: string,
): Promise<(DocumentRow & { upload_customer_id: number | null }) | undefined> {
  return complete(db)
    .select('documents.upload_customer_id')
    .where('documents.uploaded_by', '=', userId)
    .where('documents.upload_id', '=', uploadId)
    .executeTakeFirst();
}

/** Locks the row until the transaction ends. */
export async function lockDocument(db: Database, id: number): Promise<void> {
  await db.selectFrom('documents').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function updateDocumentRow(
  db: Database,
  before: DocumentRow,
  changes: Pick<Updateable<Schema['documents']>, 'filename' | 'filename_key' | 'customer_id' | 'description'>,
): Promise<void> {
  const words = wordsOfDocument({ ...before, ...changes });
  await db
    .updateTable('documents')
    .set({ ...changes, words })
    .where('id', '=', before.id)
    .execute();
}

export async function deleteDocumentRow(db: Database, id: number): Promise<boolean> {
  const result = await db.deleteFrom('documents').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Which of these objects belong to a document. */
export async function findKnownStorageKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('documents')
    .select('storage_key')
    .where('storage_key', '=', sql<string>`any(${keys})`)
    .execute();
  return new Set(rows.map((row) => row.storage_key));
}

export type StoredDocument = {
  id: number;
  filename: string;
  file_size: number;
  sha256: Buffer;
  storage_key: string;
};

/** The next documents by id. */
export function selectStoredDocuments(db: Database, after: number, limit: number): Promise<StoredDocument[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'filename', 'file_size', 'sha256', 'storage_key'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
