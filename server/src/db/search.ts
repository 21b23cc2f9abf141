import { limits } from '@customer-database/contract/limits';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { prepare } from './prepared.ts';
import { limitSearches, type Searcher } from './search-limit.ts';

const cap = limits.maxSearchCount;

export type Matches = { count: number; isCapped: boolean };

/** One more than is reported, to know whether there are more. */
export const maxCounted = cap + 1;

export const matchesOf = (count: number): Matches => ({ count: Math.min(count, cap), isCapped: count > cap });

// What a trigram index can find: three characters of a word, or two at its beginning or end.
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;
const isLong = (word: string) => /[\p{L}\p{N}]{3}/u.test(word);

// Some locales fold a sigma by what comes after the word: it is left out of words.
const separators = /[\s!-/:-@[-`{-~Σσς]+/;

/** A guess: numbers are in fewer records than other words, and long words in fewer than short ones. */
const rarity = (word: string) => word.length + (/\d/.test(word) ? limits.searchTermLength : 0);

/** The pattern is a subquery so that it is computed once, not for every row. */
const isLike = (column: RawBuilder<unknown>, text: string) =>
  sql<boolean>`${column} like (select search_pattern(${text}))`;

/**
 * Matches anywhere in the column, ignoring case and accents; wildcards are escaped. For a term of several words, the
 * index would read long lists for each of its trigrams; for conditions of their own, it skips from one to the next.
 */
export function contains(column: string, term: string): RawBuilder<boolean> {
  const indexed = sql.ref(column);
  // Keeps the index out: without trigrams in the pattern, all of it would be read.
  const unindexed = sql`${indexed} collate "C"`;
  const folded = term.normalize('NFKC');
  const words = folded.split(separators).filter((word) => word !== '');
  const long = [...new Set(words.filter(isLong))].sort((one, other) => rarity(other) - rarity(one));
  if (long.length < 2) return isLike(hasTrigram.test(folded) ? indexed : unindexed, term);
  const rarest = long.slice(0, 2).map((word) => isLike(indexed, word));
  // The index finds a short word only with what is around it.
  return allOf([...rarest, isLike(long.length < words.length ? indexed : unindexed, term)]);
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
  timeoutMs?: number | undefined;
};

const isCapped = sql`(select matches > ${sql.lit(cap)} from counted)`;

/**
 * Finds, counts and sorts in one statement with bounded work: it reads no more matches than it counts. Beyond that
 * limit, all but the leading matches are an arbitrary selection.
 */
export async function search<Row extends { id: number }>(
  searcher: Searcher,
  { matching, leading, order, records, isOfWords = false, timeoutMs }: Search<Row>,
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
    order by ${order}`.compile(searcher.db);
  if (!isOfWords) prepare(statement.sql);
  const { rows } = await limitSearches(searcher, (db) => db.executeQuery(statement), timeoutMs);
  const [first] = rows;
  return {
    records: rows.filter(({ id }) => id !== null),
    matches: matchesOf(first?.matches ?? 0),
  };
}
