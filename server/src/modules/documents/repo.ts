import type { DocumentSearchInput } from '@customer-database/contract/documents';
import type { PageQuery } from '@customer-database/contract/fields';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import type { Schema } from '../../db/schema.ts';
import { contains, countMatches, type Matches } from '../../db/search.ts';

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
      'documents.file_size',
      'documents.sha256',
      'documents.storage_key',
      'documents.uploaded_at',
      'users.name as uploaded_by_name',
    ]);

const newestFirst = (db: Database) =>
  withNames(db).orderBy('documents.uploaded_at', 'desc').orderBy('documents.id', 'desc');

export type DocumentRow = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

export function findDocument(db: Database, id: number): Promise<DocumentRow | undefined> {
  return withNames(db).where('documents.id', '=', id).executeTakeFirst();
}

export function listDocuments(db: Database, { page, limit }: PageQuery): Promise<DocumentRow[]> {
  return newestFirst(db)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
}

export function listDocumentsOfCustomer(db: Database, customerId: number): Promise<DocumentRow[]> {
  return newestFirst(db).where('documents.customer_id', '=', customerId).execute();
}

export async function countDocumentsOfCustomer(db: Database, customerId: number): Promise<number> {
  const row = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Days begin and end where the reader's calendar says so. */
function conditions(filters: DocumentSearchInput, timeZone: string): RawBuilder<boolean>[] {
  const { customer_name, customer_email, filename, date_from, date_to } = filters;
  const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${timeZone}::text`;
  return [
    customer_name ? contains(sql.ref('customers.name_search'), customer_name) : undefined,
    customer_email ? contains(sql.ref('customers.email_search'), customer_email) : undefined,
    filename ? contains(sql.ref('documents.filename_search'), filename) : undefined,
    date_from ? sql<boolean>`documents.uploaded_at >= ${startOf(sql`${date_from}::date`)}` : undefined,
    date_to ? sql<boolean>`documents.uploaded_at < ${startOf(sql`${date_to}::date + 1`)}` : undefined,
  ].filter((condition) => condition !== undefined);
}

export function isUnfiltered(filters: DocumentSearchInput): boolean {
  return conditions(filters, 'UTC').length === 0;
}

export function searchDocuments(
  db: Database,
  filters: DocumentSearchInput,
  timeZone: string,
): Promise<DocumentRow[]> {
  return newestFirst(db)
    .where((eb) => eb.and(conditions(filters, timeZone)))
    .limit(filters.limit)
    .execute();
}

export function countDocuments(
  db: Database,
  filters: DocumentSearchInput,
  timeZone: string,
): Promise<Matches> {
  return countMatches(
    db,
    db
      .selectFrom('documents')
      .innerJoin('customers', 'customers.id', 'documents.customer_id')
      .where((eb) => eb.and(conditions(filters, timeZone))),
  );
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
    .where('storage_key', 'in', keys)
    .execute();
  return new Set(rows.map((row) => row.storage_key));
}
