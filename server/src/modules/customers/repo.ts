import type { CustomerSearchInput } from '@customer-database/contract/customers';
import type { PageQuery } from '@customer-database/contract/fields';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import type { Schema } from '../../db/schema.ts';
import { contains, containsPhone, countMatches, type Matches } from '../../db/search.ts';

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

export function findCustomer(db: Database, id: number): Promise<CustomerRow | undefined> {
  return db.selectFrom('customers').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Holds the row until the transaction ends, so that nothing is attached to a customer being deleted. */
export function lockCustomer(db: Database, id: number): Promise<CustomerRow | undefined> {
  return db.selectFrom('customers').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export function listCustomers(db: Database, { page, limit }: PageQuery): Promise<CustomerRow[]> {
  return db
    .selectFrom('customers')
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
}

function conditions(filters: CustomerSearchInput) {
  const filterColumns = {
    name: sql.ref('name_search'),
    email: sql.ref('email_search'),
    street_line: sql.ref('street_line_search'),
    city: sql.ref('city_search'),
    province: sql.ref('province_search'),
    country: sql.ref('country_search'),
  };
  const found = Object.entries(filterColumns).flatMap(([name, column]) => {
    const term = filters[name as keyof typeof filterColumns];
    return term === undefined ? [] : [contains(column, term)];
  });
  if (filters.phone_number !== undefined) {
    found.push(containsPhone(sql.ref('phone_search'), filters.phone_number));
  }
  return found;
}

export function isUnfiltered(filters: CustomerSearchInput): boolean {
  return conditions(filters).length === 0;
}

export function searchCustomers(db: Database, filters: CustomerSearchInput): Promise<CustomerRow[]> {
  return db
    .selectFrom('customers')
    .select(columns)
    .where((eb) => eb.and(conditions(filters)))
    .orderBy('name_search')
    .orderBy('id')
    .limit(filters.limit)
    .execute();
}

export function countCustomers(db: Database, filters: CustomerSearchInput): Promise<Matches> {
  return countMatches(
    db,
    db.selectFrom('customers').where((eb) => eb.and(conditions(filters))),
  );
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
