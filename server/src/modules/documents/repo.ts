import type { DocumentSearchInput } from '@customer-database/contract/documents';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce } from '../../db/compiled.ts';
import { totalOf } from '../../db/counts.ts';
import { contains, containsLetters, containsName, every, fewestOf } from '../../db/filters.ts';
import { pagesOf } from '../../db/pages.ts';
import type { Schema } from '../../db/schema.ts';
import { anyOf, type Matches, type SearchPlan, search } from '../../db/search.ts';
import { type TermOf, termsByRarity } from '../../db/trigrams.ts';

const withNames = (db: Database) =>
  db
    .selectFrom('documents')
    .innerJoin('customers', 'customers.id', 'documents.customer_id')
    .leftJoin('users', 'users.id', 'documents.uploaded_by')
    .select([
      'documents.id',
      'documents.customer_id',
      'customers.name as customer_name',
      'customers.email as customer_email',
      'documents.filename',
      'documents.description',
      'documents.mime_type',
      'documents.charset',
      'documents.is_protected',
      'documents.file_size',
      'documents.sha256',
      'documents.storage_key',
      'documents.uploaded_at',
      'users.name as uploaded_by_name',
    ]);

const newestFirst = (db: Database) =>
  withNames(db).orderBy('documents.uploaded_at', 'desc').orderBy('documents.id', 'desc');

export type DocumentRow = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

const selectDocument = compiledOnce((db, { id }: { id: number }) =>
  withNames(db).where('documents.id', '=', id),
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

export function listDocumentsOfCustomer(db: Database, customerId: number): Promise<DocumentRow[]> {
  return selectOfCustomer(db, { customerId });
}

export async function countDocumentsOfCustomer(db: Database, customerId: number): Promise<number> {
  const row = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return row.count;
}

function filtersOf({ customer_name, customer_email, filename }: DocumentSearchInput, termOf: TermOf) {
  const ofCustomer = [
    customer_name === undefined ? undefined : containsName(termOf('customers_name', customer_name)),
    customer_email === undefined
      ? undefined
      : contains('customers.email_search', termOf('customers_email', customer_email)),
  ].filter((filter) => filter !== undefined);
  const ofDocument =
    filename === undefined
      ? []
      : [containsLetters('documents.filename_search', termOf('documents_filename', filename))];
  return { ofCustomer, ofDocument };
}

/** Days begin and end where the reader's calendar says so. */
function uploadedWithin({ date_from, date_to }: DocumentSearchInput, timeZone: string): RawBuilder<boolean> {
  const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${timeZone}::text`;
  const from = date_from ? [sql`documents.uploaded_at >= ${startOf(sql`${date_from}::date`)}`] : [];
  const to = date_to ? [sql`documents.uploaded_at < ${startOf(sql`${date_to}::date + 1`)}`] : [];
  return sql.join([sql`true`, ...from, ...to], sql` and `);
}

function searchPlan(db: Database, input: DocumentSearchInput, timeZone: string, termOf: TermOf): SearchPlan {
  const { ofCustomer, ofDocument } = filtersOf(input, termOf);
  const filters = [...ofCustomer, ...ofDocument];
  const within = uploadedWithin(input, timeZone);
  const withCustomers =
    ofCustomer.length === 0 ? sql`` : sql`join customers on customers.id = documents.customer_id`;
  const isUndated = !input.date_from && !input.date_to;
  const isOnlyFilename = ofCustomer.length === 0 && isUndated;
  return {
    table: 'documents',
    filters: filters.length,
    // A few customers may have any number of documents.
    atMost: fewestOf(ofDocument),
    expected: isOnlyFilename ? ofDocument[0]?.expected : undefined,
    isGuessGood: isOnlyFilename,
    order: sql`uploaded_at desc, id desc`,
    matching: (form) => sql`
      select documents.id, documents.uploaded_at from documents ${withCustomers}
      where ${every(filters, form)} and ${within}`,
    inOrder: (lookAt) => sql`
      select documents.id, documents.uploaded_at
      from (
        select * from documents where ${within} order by uploaded_at desc, id desc limit ${lookAt}
      ) as documents ${withCustomers}
      where ${every(filters, 'plain')}`,
    total: filters.length === 0 && isUndated ? () => totalOf(db, 'documents') : undefined,
  };
}

const selectNewestFirst = compiledOnce((db, { ids }: { ids: number[] }) =>
  newestFirst(db).where('documents.id', '=', anyOf(ids)),
);

/** Newest first; the ids first, so that no more than the records of the answer are read. */
export async function searchDocuments(
  db: Database,
  input: DocumentSearchInput,
  timeZone: string,
): Promise<{ documents: DocumentRow[]; matches: Matches }> {
  const { limit, offset, ...filters } = input;
  const given = Object.values(filters).filter((value) => value !== undefined).length;
  const plan = searchPlan(db, input, timeZone, await termsByRarity(db, given === 1));
  const { ids, matches } = await search(db, plan, { limit, offset });
  return { documents: await selectNewestFirst(db, { ids }), matches };
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

export async function insertDocument(db: Database, values: Insertable<Schema['documents']>): Promise<number> {
  const row = await db.insertInto('documents').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
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

/** A part of all documents, by their numbers. */
export function selectStoredDocuments(db: Database, after: number, limit: number): Promise<StoredDocument[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'filename', 'file_size', 'sha256', 'storage_key'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
