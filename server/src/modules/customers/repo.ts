import type { CustomerSearchInput } from '@customer-database/contract/customers';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce } from '../../db/compiled.ts';
import { totalOf } from '../../db/counts.ts';
import {
  contains,
  containsName,
  containsPhone,
  every,
  type Filter,
  fewestOf,
  nameParts,
  wholeTerm,
} from '../../db/filters.ts';
import { pagesOf } from '../../db/pages.ts';
import type { Schema } from '../../db/schema.ts';
import { anyOf, type Matches, type SearchPlan, type Selection, search } from '../../db/search.ts';
import { type TermOf, termsByRarity } from '../../db/trigrams.ts';

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

function filtersOf(input: CustomerSearchInput, termOf: TermOf): Filter[] {
  const { name, email, phone_number, street_line, city, province, country } = input;
  return [
    name === undefined ? undefined : containsName(termOf('customers_name', name)),
    email === undefined ? undefined : contains('email_search', termOf('customers_email', email)),
    phone_number === undefined ? undefined : containsPhone('phone_search', 'phone_number', phone_number),
    street_line === undefined
      ? undefined
      : contains('street_line_search', termOf('customers_street_line', street_line)),
    city === undefined ? undefined : contains('city_search', wholeTerm(city)),
    province === undefined ? undefined : contains('province_search', wholeTerm(province)),
    country === undefined ? undefined : contains('country_search', wholeTerm(country)),
  ].filter((filter) => filter !== undefined);
}

const record = sql`name_search, ${sql.join(columns.map((column) => sql.ref(column)))}`;

/** The date keeps the planner from reading the whole index of names, which has no date, for its order. */
const selectMatching = (condition: RawBuilder<boolean>, what: Selection = 'keys') =>
  sql`select ${what === 'keys' ? sql`id, name_search, created_at` : record} from customers where ${condition}`;

/** The index has the keys. */
const selectInARow = (condition: RawBuilder<boolean>, what: Selection) =>
  sql`select ${what === 'keys' ? sql`id, name_search, null` : record} from customers where ${condition}`;

const byName = sql`name_search collate "C", id`;

/** In two parts, where nothing but the name is asked for. */
function nameInParts({ name }: CustomerSearchInput, filters: Filter[], termOf: TermOf): SearchPlan['parts'] {
  if (name === undefined || filters.length > 1) return undefined;
  const { starting, others } = nameParts(termOf('customers_name', name));
  return {
    inARow: (what) => selectInARow(starting, what),
    others: (what, form) => selectMatching(others(form), what),
    expectedOthers: termOf('customers_name_further_on', name).expected,
  };
}

function searchPlan(db: Database, input: CustomerSearchInput, termOf: TermOf): SearchPlan {
  const filters = filtersOf(input, termOf);
  return {
    table: 'customers',
    filters: filters.length,
    atMost: fewestOf(filters),
    expected: filters.length === 1 ? filters[0]?.expected : undefined,
    isGuessGood: filters.length === 1,
    order: byName,
    matching: (form) => selectMatching(every(filters, form)),
    parts: nameInParts(input, filters, termOf),
    inOrder: (lookAt) => sql`
      select id, name_search
      from (select * from customers order by ${byName} limit ${lookAt}) as customers
      where ${every(filters, 'plain')}`,
    total: filters.length === 0 ? () => totalOf(db, 'customers') : undefined,
  };
}

const selectByName = compiledOnce((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('customers')
    .select(columns)
    .where('id', '=', anyOf(ids))
    .orderBy(sql`name_search collate "C"`)
    .orderBy('id'),
);

/** By name; mostly the ids first, so that no more than the records of the answer are read. */
export async function searchCustomers(
  db: Database,
  input: CustomerSearchInput,
): Promise<{ customers: CustomerRow[]; matches: Matches }> {
  const { limit, offset, ...filters } = input;
  const given = Object.values(filters).filter((term) => term !== undefined).length;
  const plan = searchPlan(db, input, await termsByRarity(db, given === 1));
  const { ids, records, matches } = await search<CustomerRow>(db, plan, { limit, offset });
  return { customers: records ?? (await selectByName(db, { ids })), matches };
}

export function insertCustomer(db: Database, values: Insertable<Schema['customers']>): Promise<CustomerRow> {
  return db.insertInto('customers').values(values).returning(columns).executeTakeFirstOrThrow();
}

export function updateCustomer(
  db: Database,
  id: number,
  values: Updateable<Schema['customers']>,
): Promise<CustomerRow> {
  return db
    .updateTable('customers')
    .set(values)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Another customer with this email, without regard to case. */
export function findByEmail(db: Database, email: string, except = 0): Promise<CustomerRow | undefined> {
  return db
    .selectFrom('customers')
    .select(columns)
    .where(sql<boolean>`email_search collate "C" = search_text(${email})`)
    .where('id', '!=', except)
    .limit(1)
    .executeTakeFirst();
}

/** Another customer of this name, without regard to case and accents, and date of birth. */
export function findByNameAndBirth(
  db: Database,
  name: string,
  dob: string,
  except = 0,
): Promise<CustomerRow | undefined> {
  return db
    .selectFrom('customers')
    .select(columns)
    .where(sql<boolean>`name_search collate "C" = search_text(${name})`)
    .where('dob', '=', dob)
    .where('id', '!=', except)
    .limit(1)
    .executeTakeFirst();
}

export async function deleteCustomerRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom('customers').where('id', '=', id).execute();
}
