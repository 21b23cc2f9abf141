import { limits } from '@customer-database/contract/limits';
import { type Term, tsqueryOf, tsqueryOfTerm } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf, type Days, withinDays } from '../../db/conditions.ts';
import { contains, startsWith } from '../../search/filters.ts';
import { limitSearches, type Searcher } from '../../search/limit.ts';

/*
 * The search of customers and documents by the words of their records; pages-repo.ts searches the text of documents.
 * Each group of the response takes one statement. None is prepared, because the best plan depends on the words:
 * PostgreSQL looks up rare words in the index, and for common ones reads the newest records until it has enough matches.
 */

export type Found<Item> = { items: Item[]; count: number; isCapped: boolean };
export type Slice = { limit: number; offset: number };

export const noMatches: Found<never> = { items: [], count: 0, isCapped: false };

// One more than the response counts, to know whether there are more.
const maxMatches = limits.maxHits + 1;

export type GroupSearch = {
  /** Selects all matches, with what `shown` needs. It may be stopped after `maxMatches`. */
  matching: RawBuilder<unknown>;
  /** The source of the results: the table `matching`, and what their columns and order need besides. */
  shown: RawBuilder<unknown>;
  /** The columns of `shown` that a result has. */
  columns: RawBuilder<unknown>;
  /** The order of `shown`. */
  order: RawBuilder<unknown>;
};

/** Finds, counts and sorts the matches of one group, and returns a slice of them. */
export async function searchGroup<Item extends object>(
  searcher: Searcher,
  { matching, shown, columns, order }: GroupSearch,
  { limit, offset }: Slice,
  timeoutMs?: number,
): Promise<Found<Item>> {
  // The left join keeps the count if the slice is empty.
  const statement = sql<{ matches: number; item: Item | null }>`
    with matching as materialized (${matching} limit ${sql.lit(maxMatches)}),
    slice as (
      select ${columns}, row_number() over (order by ${order}) as rank from ${shown}
      order by rank offset ${offset} limit ${limit}
    )
    select counted.matches, to_jsonb(slice) as item
    from (select count(*)::int as matches from matching) as counted left join slice on true order by rank`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db), timeoutMs);
  const matches = rows[0]?.matches ?? 0;
  return {
    items: rows.flatMap(({ item }) => item ?? []),
    count: Math.min(matches, limits.maxHits),
    isCapped: matches > limits.maxHits,
  };
}

const phoneDigits = /^[\d+()/.-]*\d{3}[\d+()/.-]*$/;
const isPhoneNumber = ({ text, isPhrase }: Term) => !isPhrase && phoneDigits.test(text);

/** Whether the words of a customer match the term. A phone number matches also by some of its digits. */
function customerHas(term: Term): RawBuilder<boolean> {
  const hasWords = sql<boolean>`words @@ ${tsqueryOfTerm(term)}::tsquery`;
  if (!isPhoneNumber(term) || term.isExcluded) return hasWords;
  return sql`(${hasWords} or ${contains('phone_search', term.text.replace(/\D/g, ''))})`;
}

/**
 * Sorted by name; customers whose name begins with the first term come first. `matching` may be stopped before it
 * reaches these, so a second select adds them.
 */
export function findCustomers(
  searcher: Searcher,
  terms: Term[],
  customerId: number | undefined,
  slice: Slice,
): Promise<Found<{ id: number }>> {
  const firstTerm = terms.find(({ isExcluded }) => !isExcluded)?.text ?? '';
  const conditions = terms.map(customerHas);
  if (customerId !== undefined) conditions.push(sql`id = ${customerId}`);
  const isLeading = startsWith('name_search', firstTerm);
  const customers = sql`select id, name_search, ${isLeading} as is_leading from customers`;
  const byName = sql`name_search collate "C", id`;
  const leading = sql`
    ${customers} where ${allOf([isLeading, ...conditions])} order by ${byName} limit ${slice.offset + slice.limit}`;
  const search = {
    matching: sql`${customers} where ${allOf(conditions)}`,
    shown: sql`(table matching union (${leading})) as found`,
    columns: sql`id`,
    order: sql`is_leading desc, ${byName}`,
  };
  return searchGroup(searcher, search, slice);
}

export type DocumentFilters = Days & { mimeType?: string | undefined; customerId?: number | undefined };

/** Conditions on `documents`, and the join that they need; both are empty without a filter. */
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
export const recordHas = (terms: Term[]) =>
  sql<boolean>`document_texts.words @@ ${tsqueryOf(terms)}::tsquery`;

/** Documents whose record has all terms, newest first. */
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
    shown: sql`matching`,
    columns: sql`id`,
    order: sql`id desc`,
  };
  return searchGroup(searcher, search, slice);
}
