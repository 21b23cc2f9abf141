import type { CustomerSearchInput } from '@customer-database/contract/customers';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce } from '../../db/compiled.ts';
import { totalOf } from '../../db/counts.ts';
import { pagesOf } from '../../db/pages.ts';
import type { Schema } from '../../db/schema.ts';
import {
  anyOf,
  contains,
  containsLetters,
  containsPhone,
  every,
  type Filter,
  type Matches,
  type SearchPlan,
  search,
} from '../../db/search.ts';

const columns = [
  'id',
  'name',
  'dob',
  'email',
  'phone_number',
  'street_line',
  'city',
  'province',
  'country',
  'created_at',
  'updated_at',
] as const;

export type CustomerRow = Pick<Selectable<Schema['customers']>, (typeof columns)[number]>;

const selectCustomer = compiledOnce((db, { id }: { id: number }) =>
  db.selectFrom('customers').select(columns).where('id', '=', id),
);

export async function findCustomer(db: Database, id: number): Promise<CustomerRow | undefined> {
  return (await selectCustomer(db, { id }))[0];
}

/** Holds the row until the transaction ends, so that nothing is attached to a customer being deleted. */
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

function filtersOf(input: CustomerSearchInput): Filter[] {
  const { name, email, phone_number, street_line, city, province, country } = input;
  return [
    name === undefined ? undefined : containsLetters('name_search', 'name_letters', name),
    email === undefined ? undefined : contains('email_search', email),
    phone_number === undefined ? undefined : containsPhone('phone_search', 'phone_number', phone_number),
    street_line === undefined ? undefined : contains('street_line_search', street_line),
    city === undefined ? undefined : contains('city_search', city),
    province === undefined ? undefined : contains('province_search', province),
    country === undefined ? undefined : contains('country_search', country),
  ].filter((filter) => filter !== undefined);
}

function searchPlan(db: Database, input: CustomerSearchInput): SearchPlan {
  const filters = filtersOf(input);
  return {
    table: 'customers',
    filters: filters.length,
    isGuessGood: filters.length === 1,
    order: sql`name_search, id`,
    // The date keeps the planner from reading the whole index of names, which has no date, for its order.
    matching: (form) => sql`select id, name_search, created_at from customers where ${every(filters, form)}`,
    inOrder: (lookAt) => sql`
      select id, name_search
      from (select * from customers order by name_search, id limit ${lookAt}) as customers
      where ${every(filters, 'plain')}`,
    total: filters.length === 0 ? () => totalOf(db, 'customers') : undefined,
  };
}

const selectByName = compiledOnce((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('customers')
    .select(columns)
    .where('id', '=', anyOf(ids))
    .orderBy('name_search')
    .orderBy('id'),
);

/** By name; the ids first, so that no more than the records of the answer are read. */
export async function searchCustomers(
  db: Database,
  input: CustomerSearchInput,
): Promise<{ customers: CustomerRow[]; matches: Matches }> {
  const { ids, matches } = await search(db, searchPlan(db, input), input.limit);
  return { customers: await selectByName(db, { ids }), matches };
}

export function insertCustomer(db: Database, values: Insertable<Schema['customers']>): Promise<CustomerRow> {
  return db.insertInto('customers').values(values).returning(columns).executeTakeFirstOrThrow();
}

export function updateCustomer(
  db: Database,
  id: number,
  values: Updateable<Schema['customers']>,
): Promise<CustomerRow | undefined> {
  return db.updateTable('customers').set(values).where('id', '=', id).returning(columns).executeTakeFirst();
}

export async function deleteCustomerRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom('customers').where('id', '=', id).execute();
}
