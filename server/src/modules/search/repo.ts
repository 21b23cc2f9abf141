import { limits } from '@customer-database/contract/limits';
import type { Term } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf, type Days, withinDays } from '../../db/conditions.ts';
import { contains, customerWords, startsWith } from '../../search/filters.ts';
import { limitSearches, type Searcher } from '../../search/limit.ts';

/*
 * These statements are not prepared, because the best plan depends on the words: PostgreSQL looks rare words up in the
 * index, and for common words reads the newest records until it has enough matches.
 */

export type Found<Item> = { items: Item[]; count: number; isCapped: boolean };
export type Slice = { limit: number; offset: number };

export const noMatches: Found<never> = { items: [], count: 0, isCapped: false };

/** The search of one group of the response. */
export type GroupSearch = {
  /** Selects the keys of all matches. */
  matching: RawBuilder<unknown>;
  /** Columns of `from`, which reads `matching`. */
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
};

/** Reads and sorts at most one match more than it counts. */
export async function searchGroup<Item extends object>(
  searcher: Searcher,
  { matching, columns, from, order }: GroupSearch,
  { limit, offset }: Slice,
  timeoutMs?: number,
): Promise<Found<Item>> {
  const statement = sql<{ matches: number; item: Item | null }>`
      with matching as materialized (${matching} limit ${sql.lit(limits.maxHits + 1)}),
      shown as (
        select ${columns}, row_number() over (order by ${order}) as rank from ${from}
        order by rank offset ${offset} limit ${limit}
      )
      select (select count(*)::int from matching) as matches, to_jsonb(shown) as item
      from (select) as once left join shown on true order by rank`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db), timeoutMs);
  const matches = rows[0]?.matches ?? 0;
  return {
    items: rows.flatMap(({ item }) => item ?? []),
    count: Math.min(matches, limits.maxHits),
    isCapped: matches > limits.maxHits,
  };
}

/** The query for the words of customers and documents, which PostgreSQL prepares like these words. */
const recordQuery = (terms: Term[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    terms.map(({ text, isPhrase, isExcluded }) => {
      const query = sql`record_query(${text}::text, ${!isPhrase}::boolean)`;
      return isExcluded ? sql`!!${query}` : query;
    }),
    sql` && `,
  )})`;

const phoneDigits = /^[\d+()/.-]*\d{3}[\d+()/.-]*$/;
const isPhoneNumber = ({ text, isPhrase }: Term) => !isPhrase && phoneDigits.test(text);

/** Finds a phone number also by some of its digits, which may be all that users know. */
function customerHas(term: Term): RawBuilder<boolean> {
  const hasWords = sql<boolean>`${customerWords} @@ ${recordQuery([term])}`;
  if (!isPhoneNumber(term) || term.isExcluded) return hasWords;
  return sql`(${hasWords} or ${contains('phone_search', term.text.replace(/\D/g, ''))})`;
}

/**
 * Customers whose name begins with the first term come first. `matching` may stop before these, so the leading ones are
 * selected separately.
 */
export function findCustomers(
  searcher: Searcher,
  terms: Term[],
  customerId: number | undefined,
  slice: Slice,
): Promise<Found<{ id: number }>> {
  const firstText = terms.find(({ isExcluded }) => !isExcluded)?.text ?? '';
  const conditions = terms.map(customerHas);
  if (customerId !== undefined) conditions.push(sql`id = ${customerId}`);
  const starts = startsWith('name_search', firstText);
  const customers = sql`select id, name_search, ${starts} as starts from customers`;
  const byName = sql`name_search collate "C", id`;
  const leading = sql`
    ${customers} where ${allOf([starts, ...conditions])} order by ${byName} limit ${slice.offset + slice.limit}`;
  const search = {
    matching: sql`${customers} where ${allOf(conditions)}`,
    columns: sql`id`,
    from: sql`(table matching union (${leading})) as found`,
    order: sql`starts desc, ${byName}`,
  };
  return searchGroup(searcher, search, slice);
}

export type DocumentFilters = Days & { mimeType?: string | undefined; customerId?: number | undefined };

/** Conditions on `documents`, and the join that they need. */
export function documentConditions({ mimeType, customerId, ...days }: DocumentFilters): {
  join: RawBuilder<unknown>;
  conditions: RawBuilder<boolean>[];
} {
  const conditions = [
    ...(mimeType ? [sql<boolean>`documents.mime_type = ${mimeType}`] : []),
    ...(customerId ? [sql<boolean>`documents.customer_id = ${customerId}`] : []),
    ...(days.from || days.to ? [withinDays('documents.uploaded_at', days)] : []),
  ];
  const join = conditions.length > 0 ? sql`join documents on documents.id = document_id` : sql``;
  return { join, conditions };
}

/** Whether the record of a document (its name, description and customer) has all terms. */
export const recordHas = (terms: Term[]) => sql<boolean>`document_texts.words @@ ${recordQuery(terms)}`;

/** Newest first. */
export function findDocuments(
  searcher: Searcher,
  terms: Term[],
  filters: DocumentFilters,
  slice: Slice,
): Promise<Found<{ id: number }>> {
  const { join, conditions } = documentConditions(filters);
  const search = {
    matching: sql`
      select document_id as id from document_texts ${join}
      where ${allOf([recordHas(terms), ...conditions])} order by document_id desc`,
    columns: sql`id`,
    from: sql`matching`,
    order: sql`id desc`,
  };
  return searchGroup(searcher, search, slice);
}
