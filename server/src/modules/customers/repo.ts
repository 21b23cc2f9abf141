import { type CustomerSearchInput, customerFields } from '@customer-database/contract/customers';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce, type Parameter } from '../../db/compiled.ts';
import { allOf } from '../../db/conditions.ts';
import { totalOf } from '../../db/counts.ts';
import { pagesOf } from '../../db/pages.ts';
import type { Schema } from '../../db/schema.ts';
import { type Matches, search } from '../../search/bounded-search.ts';
import { contains, containsPhone, startsWith } from '../../search/filters.ts';
import type { Searcher } from '../../search/limit.ts';
import { wordsOfCustomer } from '../../search/record-words.ts';

const columns = ['id', ...customerFields, 'created_at', 'updated_at'] as const;

export type CustomerRow = Pick<Selectable<Schema['customers']>, (typeof columns)[number]>;

const selectCustomer = compiledOnce((db, value: Parameter<{ id: number }>) =>
  db.selectFrom('customers').select(columns).where('id', '=', value('id')),
);

export async function findCustomer(db: Database, id: number): Promise<CustomerRow | undefined> {
  return (await selectCustomer(db, { id }))[0];
}

export function lockCustomer(db: Database, id: number): Promise<CustomerRow | undefined> {
  return db.selectFrom('customers').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export const listCustomers = pagesOf('customers', (db, ids) =>
  db
    .selectFrom('customers')
    .select(columns)
    .where('id', '=', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);

const byName = (db: Database) =>
  db.selectFrom('customers').select(columns).orderBy(sql`name_search collate "C"`).orderBy('id');

const selectFirstByName = compiledOnce((db, value: Parameter<{ limit: number; offset: number }>) =>
  byName(db).limit(value('limit')).offset(value('offset')),
);

export function listCustomersById(db: Database, ids: number[]): Promise<CustomerRow[]> {
  return db.selectFrom('customers').select(columns).where('id', 'in', ids).execute();
}

function filtersOf(input: CustomerSearchInput): RawBuilder<boolean>[] {
  const { phone_number, limit: _limit, offset: _offset, ...texts } = input;
  const filters = Object.entries(texts).flatMap(([field, term]) =>
    term === undefined ? [] : contains(`${field}_search`, term),
  );
  if (phone_number !== undefined) filters.push(containsPhone('phone_search', 'phone_number', phone_number));
  return filters;
}

/** Sorted by name; names that begin with the term come first. */
export async function searchCustomers(
  searcher: Searcher,
  input: CustomerSearchInput,
): Promise<{ customers: CustomerRow[]; matches: Matches }> {
  const { db } = searcher;
  const filters = filtersOf(input);
  if (filters.length === 0) {
    const customers = await selectFirstByName(db, input);
    return { customers, matches: { count: await totalOf(db, 'customers'), isCapped: false } };
  }
  const starts = input.name === undefined ? undefined : startsWith('name_search', input.name);
  const keys = sql`select id as key_id, name_search as key_name, ${starts ?? sql`false`} as starts from customers`;
  const { records, matches } = await search<CustomerRow>(
    searcher,
    {
      matching: sql`${keys} where ${allOf(filters)}`,
      leading:
        starts &&
        ((max) => sql`
          ${keys} where ${allOf([starts, ...filters])} order by name_search collate "C", id limit ${max}`),
      order: sql`starts desc, key_name collate "C", key_id`,
      records: db.selectFrom('customers').select(columns),
    },
    input,
  );
  return { customers: records, matches };
}

export function insertCustomer(
  db: Database,
  values: Omit<Insertable<Schema['customers']>, 'words'>,
): Promise<CustomerRow> {
  return db
    .insertInto('customers')
    .values({ ...values, words: wordsOfCustomer(values) })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export function updateCustomer(
  db: Database,
  before: CustomerRow,
  changes: Partial<Omit<CustomerRow, 'id' | 'created_at'>>,
): Promise<CustomerRow> {
  return db
    .updateTable('customers')
    .set({ ...changes, words: wordsOfCustomer({ ...before, ...changes }) })
    .where('id', '=', before.id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

function findOther(
  db: Database,
  condition: RawBuilder<boolean>,
  except = 0,
): Promise<CustomerRow | undefined> {
  return db
    .selectFrom('customers')
    .select(columns)
    .where(condition)
    .where('id', '!=', except)
    .limit(1)
    .executeTakeFirst();
}

/** Another customer with this email, ignoring case. */
export const findByEmail = (db: Database, email: string, except?: number) =>
  findOther(db, sql`email_search collate "C" = search_text(${email})`, except);

/** Another customer with this name, ignoring case and accents, and date of birth. */
export const findByNameAndBirth = (db: Database, name: string, dob: string, except?: number) =>
  findOther(db, sql`name_search collate "C" = search_text(${name}) and dob = ${dob}`, except);

/** Here, because the documents module imports this one. */
export async function countDocuments(db: Database, customerId: number): Promise<number> {
  const row = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function deleteCustomerRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom('customers').where('id', '=', id).execute();
}
