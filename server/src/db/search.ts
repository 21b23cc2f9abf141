import { limits } from '@customer-database/contract/limits';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Database } from './client.ts';
import { prepare } from './prepared.ts';
import { inSearchSlot } from './search-slots.ts';

const cap = limits.maxSearchCount;

export type Matches = { count: number; isCapped: boolean };

/** One more than is reported, to know whether there are more. */
export const maxCounted = cap + 1;

export const matchesOf = (count: number): Matches => ({ count: Math.min(count, cap), isCapped: count > cap });

// What a trigram index can find: three characters of a word, or two at its beginning or end.
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;

/**
 * Matches anywhere in the column, ignoring case and accents; wildcards are escaped. The pattern is a subquery so that
 * it is computed once, not for every row.
 */
export function contains(column: string, term: string): RawBuilder<boolean> {
  // Without trigrams in the term, an index scan would read the whole index; the collation prevents its use.
  const text = hasTrigram.test(term) ? sql.ref(column) : sql`${sql.ref(column)} collate "C"`;
  return sql`${text} like (select search_pattern(${term}))`;
}

/** As a range: a prepared statement cannot use an index for a pattern. */
export function startsWith(column: string, term: string): RawBuilder<boolean> {
  const text = sql`${sql.ref(column)} collate "C"`;
  const last = sql`chr(x'10ffff'::int)`;
  return sql`(${text} >= (select search_text(${term})) and ${text} <= (select search_text(${term}) || ${last}))`;
}

/** Matches digits regardless of formatting; other characters must match as written. */
export function containsPhone(column: string, writtenColumn: string, term: string): RawBuilder<boolean> {
  const digits = term.replace(/\D/g, '');
  if (digits !== '') return contains(column, digits);
  return contains(/\p{L}/u.test(term) ? column : writtenColumn, term);
}

/** The words of all fields of a customer. */
export const customerWords = sql`customer_words(name, dob, email, phone_number, street_line, city, province, country)`;

export type Days = { from?: string | null | undefined; to?: string | null | undefined; timeZone: string };

/** Days begin and end in the configured time zone. */
export function withinDays(column: string, { from, to, timeZone }: Days): RawBuilder<boolean> {
  const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${timeZone}::text`;
  return allOf([
    ...(from ? [sql<boolean>`${sql.ref(column)} >= ${startOf(sql`${from}::date`)}`] : []),
    ...(to ? [sql<boolean>`${sql.ref(column)} < ${startOf(sql`${to}::date + 1`)}`] : []),
  ]);
}

export const allOf = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql`${sql.join([sql`true`, ...conditions], sql` and `)}`;

export type Search<Row> = {
  /** Selects `key_id`, and what `order` needs, for all matches. */
  matching: RawBuilder<unknown>;
  /** If there are more matches than are counted: the first ones in order. */
  leading?: ((limit: number) => RawBuilder<unknown>) | undefined;
  order: RawBuilder<unknown>;
  /** All records in the shape of the result, each with its `id`. */
  records: Expression<Row>;
  /** How common a word is decides about the plan, so that it is made for each search. */
  isOfWords?: boolean;
};

const isCapped = sql`(select matches > ${sql.lit(cap)} from counted)`;

/**
 * Finds, counts and sorts in one statement with bounded work: it reads no more matches than it counts. Beyond that
 * limit, all but the leading matches are an arbitrary selection.
 */
export async function search<Row extends { id: number }>(
  db: Database,
  { matching, leading, order, records, isOfWords = false }: Search<Row>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ records: Row[]; matches: Matches }> {
  const orLeading = leading
    ? sql`union select * from (${leading(offset + limit)}) as top where ${isCapped}`
    : sql``;
  const statement = sql<Row & { matches: number }>`
    with matching as materialized (${matching} limit ${sql.lit(maxCounted)}),
    counted as materialized (select count(*) as matches from matching),
    page as (select * from (table matching ${orLeading}) as found order by ${order} offset ${offset} limit ${limit})
    select counted.matches, records.*
    from counted left join (page join ${records} as records on records.id = key_id) on true
    order by ${order}`.compile(db);
  if (!isOfWords) prepare(statement.sql);
  const { rows } = await inSearchSlot(db, () => db.executeQuery(statement));
  const [first] = rows;
  return {
    records: rows.filter(({ id }) => id !== null),
    matches: matchesOf(first?.matches ?? 0),
  };
}
