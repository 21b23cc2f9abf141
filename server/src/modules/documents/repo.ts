import type { DocumentSearchInput } from '@customer-database/contract/documents';
import { parseQuestion, tsqueryOf } from '@customer-database/words/question';
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce } from '../../db/compiled.ts';
import { totalOf } from '../../db/counts.ts';
import { pagesOf } from '../../db/pages.ts';
import type { Schema } from '../../db/schema.ts';
import {
  allOf,
  contains,
  type Days,
  type Matches,
  matchesOf,
  maxCounted,
  search,
  withinDays,
} from '../../db/search.ts';
import type { Searcher } from '../../db/search-slots.ts';

const withNames = (db: Database) =>
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

const newestFirst = (db: Database) =>
  withNames(db).orderBy('documents.uploaded_at', 'desc').orderBy('documents.id', 'desc');

export type ListedDocument = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

/** Lists leave out what only its own screen and serving a document need. */
const complete = (db: Database) =>
  withNames(db)
    .innerJoin('document_texts', 'document_texts.document_id', 'documents.id')
    .select(['documents.charset', 'documents.sha256', 'documents.crc32', 'documents.storage_key'])
    .select([
      'document_texts.state as text_state',
      'document_texts.reason as text_reason',
      'document_texts.page_count',
      'document_texts.language',
    ]);

export type DocumentRow = Awaited<ReturnType<ReturnType<typeof complete>['executeTakeFirstOrThrow']>>;

const selectDocument = compiledOnce((db, { id }: { id: number }) =>
  complete(db).where('documents.id', '=', id),
);

export async function findDocument(db: Database, id: number): Promise<DocumentRow | undefined> {
  return (await selectDocument(db, { id }))[0];
}

export const listDocuments = pagesOf('documents', (db, ids) =>
  newestFirst(db).where('documents.id', '=', ids),
);

const selectOfCustomer = compiledOnce((db, { customerId }: { customerId: number }) =>
  newestFirst(db).where('documents.customer_id', '=', customerId),
);

export function listDocumentsOfCustomer(db: Database, customerId: number): Promise<ListedDocument[]> {
  return selectOfCustomer(db, { customerId });
}

export function listDocumentsById(db: Database, ids: number[]): Promise<ListedDocument[]> {
  return withNames(db).where('documents.id', 'in', ids).execute();
}

/** One of its pages has all of the words. */
function containsText(text: string): RawBuilder<boolean> {
  const query = tsqueryOf(parseQuestion(text));
  if (query === undefined) return sql`false`;
  return sql`exists (
    select from document_pages where document_id = documents.id and words @@ ${query}::tsquery
  )`;
}

function filtersOf({
  customer_name,
  customer_email,
  filename,
  text,
}: DocumentSearchInput): RawBuilder<boolean>[] {
  return [
    customer_name === undefined ? undefined : contains('customers.name_search', customer_name),
    customer_email === undefined ? undefined : contains('customers.email_search', customer_email),
    filename === undefined ? undefined : contains('documents.filename_search', filename),
    text === undefined ? undefined : containsText(text),
  ].filter((filter) => filter !== undefined);
}

type Page = { limit: number; offset: number };

const uploadedWithin = (days: Days) => withinDays('documents.uploaded_at', days);

const selectWithin = compiledOnce((db, values: Days & Page) =>
  newestFirst(db).where(uploadedWithin(values)).limit(values.limit).offset(values.offset),
);

const countWithin = compiledOnce((db, days: Days) => {
  const counted = db.selectFrom('documents').select('id').where(uploadedWithin(days)).limit(maxCounted);
  return db.selectFrom(counted.as('counted')).select((eb) => eb.fn.countAll<number>().as('count'));
});

/** Without other filters, the index of the list has them in order. */
async function searchByDays(
  db: Database,
  input: DocumentSearchInput,
  timeZone: string,
): Promise<FoundDocuments> {
  const { date_from, date_to, limit, offset } = input;
  const days = { from: date_from || '-infinity', to: date_to || 'infinity', timeZone };
  const documents = await selectWithin(db, { ...days, limit, offset });
  if (!date_from && !date_to) {
    return { documents, matches: { count: await totalOf(db, 'documents'), isCapped: false } };
  }
  const [counted] = await countWithin(db, days);
  return { documents, matches: matchesOf(counted?.count ?? 0) };
}

// If one in eighty matches, these fill the largest result.
const maxScanned = 40_000;

export type FoundDocuments = { documents: ListedDocument[]; matches: Matches };

/** Newest first. */
export async function searchDocuments(
  searcher: Searcher,
  input: DocumentSearchInput,
  timeZone: string,
): Promise<FoundDocuments> {
  const { db } = searcher;
  const filters = filtersOf(input);
  if (filters.length === 0) return searchByDays(db, input, timeZone);
  const isOfCustomer = input.customer_name !== undefined || input.customer_email !== undefined;
  const customers = isOfCustomer ? sql`join customers on customers.id = documents.customer_id` : sql``;
  const keys = sql`select documents.id as key_id, documents.uploaded_at as key_time`;
  const within = uploadedWithin({ from: input.date_from, to: input.date_to, timeZone });
  const matching = sql`${keys} from documents ${customers} where ${allOf([...filters, within])}`;
  const inOrder = sql`order by documents.uploaded_at desc, documents.id desc`;
  const newest = sql`select * from documents where ${within} ${inOrder} limit ${sql.lit(maxScanned)}`;
  // If many match, the newest documents contain enough of them. If not, all matches have to be read.
  const leading = (max: number) => sql`
    with recent as materialized (
      ${keys} from (${newest}) as documents ${customers} where ${allOf(filters)} ${inOrder} limit ${max}
    )
    table recent
    union all
    (${matching} and (select count(*) from recent) < ${max} ${inOrder} limit ${max})`;
  const { records, matches } = await search<ListedDocument>(
    searcher,
    {
      matching,
      leading,
      order: sql`key_time desc, key_id desc`,
      records: withNames(db),
      isOfWords: input.text !== undefined,
    },
    input,
  );
  return { documents: records, matches };
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

/** Returns undefined if this upload was saved before; waits for one that is being saved. */
export async function insertDocument(
  db: Database,
  values: Insertable<Schema['documents']>,
): Promise<number | undefined> {
  const row = await db
    .insertInto('documents')
    .values(values)
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
): Promise<DocumentRow | undefined> {
  return complete(db)
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
  id: number,
  values: Updateable<Schema['documents']>,
): Promise<void> {
  await db.updateTable('documents').set(values).where('id', '=', id).execute();
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
  crc32: number | null;
  storage_key: string;
};

/** A batch of all documents, by id. */
export function selectStoredDocuments(db: Database, after: number, limit: number): Promise<StoredDocument[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'filename', 'file_size', 'sha256', 'crc32', 'storage_key'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function saveCrc32(db: Database, id: number, crc32: number): Promise<void> {
  await db.updateTable('documents').set({ crc32 }).where('id', '=', id).execute();
}
