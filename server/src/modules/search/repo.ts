import { limits } from '@customer-database/contract/limits';
import type { Term } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf, type Days, withinDays } from '../../db/conditions.ts';
import { contains, customerWords, startsWith } from '../../search/filters.ts';
import { limitSearches, type Searcher } from '../../search/limit.ts';

/*
 * None of these statements is prepared: the planner has to know the words. It reads the index of words if few records
 * have them, and otherwise the newest records until enough are found.
 */

export type Found<Item> = { items: Item[]; count: number; isCapped: boolean };
export type Page = { limit: number; offset: number };

export const nothing: Found<never> = { items: [], count: 0, isCapped: false };

export type Selection = {
  /** The matches, as many as are counted at most. */
  matching: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
};

/** No more matches are read and sorted than are counted. */
export async function select<Item extends object>(
  searcher: Searcher,
  { matching, columns, from, order }: Selection,
  { limit, offset }: Page,
  timeoutMs?: number,
): Promise<Found<Item>> {
  const statement = sql<{ matches: number; item: Item | null }>`
      with matching as materialized (${matching} limit ${sql.lit(limits.maxHits + 1)}),
      shown as (
        select ${columns}, row_number() over (order by ${order}) as place from ${from}
        order by place offset ${offset} limit ${limit}
      )
      select (select count(*)::int from matching) as matches, to_jsonb(shown) as item
      from (select) as once left join shown on true order by place`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db), timeoutMs);
  const matches = rows[0]?.matches ?? 0;
  return {
    items: rows.flatMap(({ item }) => item ?? []),
    count: Math.min(matches, limits.maxHits),
    isCapped: matches > limits.maxHits,
  };
}

/** What customers and documents are compared with. PostgreSQL prepares both sides. */
const recordQuery = (terms: Term[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    terms.map(({ text, isPhrase, isExcluded }) => {
      const query = sql`record_query(${text}::text, ${!isPhrase}::boolean)`;
      return isExcluded ? sql`!!${query}` : query;
    }),
    sql` && `,
  )})`;

// Part of a phone number is often all that people know.
const phoneDigits = /^[\d+()/.-]*\d{3}[\d+()/.-]*$/;
const isPhoneNumber = ({ text, isPhrase }: Term) => !isPhrase && phoneDigits.test(text);

function customerFilter(term: Term): RawBuilder<boolean> {
  const hasWords = sql<boolean>`${customerWords} @@ ${recordQuery([term])}`;
  if (!isPhoneNumber(term) || term.isExcluded) return hasWords;
  return sql`(${hasWords} or ${contains('phone_search', term.text.replace(/\D/g, ''))})`;
}

/** Those first whose name begins with the first word: all of these, however many others there are. */
export function findCustomers(
  searcher: Searcher,
  terms: Term[],
  customerId: number | undefined,
  page: Page,
): Promise<Found<{ id: number }>> {
  const first = terms.find(({ isExcluded }) => !isExcluded)?.text ?? '';
  const filters = terms.map(customerFilter);
  if (customerId !== undefined) filters.push(sql`id = ${customerId}`);
  const starts = startsWith('name_search', first);
  const customers = sql`select id, name_search, ${starts} as starts from customers`;
  const inOrder = sql`name_search collate "C", id`;
  const leading = sql`
    ${customers} where ${allOf([starts, ...filters])} order by ${inOrder} limit ${page.offset + page.limit}`;
  const selection = {
    matching: sql`${customers} where ${allOf(filters)}`,
    columns: sql`id`,
    from: sql`(table matching union (${leading})) as found`,
    order: sql`starts desc, ${inOrder}`,
  };
  return select(searcher, selection, page);
}

export type DocumentFilters = Days & { mimeType?: string | undefined; customerId?: number | undefined };

/** On `documents`, which is joined only if there is something to compare. */
export function documentFilters({ mimeType, customerId, ...days }: DocumentFilters): {
  join: RawBuilder<unknown>;
  filters: RawBuilder<boolean>[];
} {
  const filters = [
    ...(mimeType ? [sql<boolean>`documents.mime_type = ${mimeType}`] : []),
    ...(customerId ? [sql<boolean>`documents.customer_id = ${customerId}`] : []),
    ...(days.from || days.to ? [withinDays('documents.uploaded_at', days)] : []),
  ];
  return { join: filters.length > 0 ? sql`join documents on documents.id = document_id` : sql``, filters };
}

export const ofDocument = (terms: Term[]) => sql<boolean>`document_texts.words @@ ${recordQuery(terms)}`;

/** The newest first. */
export function findDocuments(
  searcher: Searcher,
  terms: Term[],
  wanted: DocumentFilters,
  page: Page,
): Promise<Found<{ id: number }>> {
  const { join, filters } = documentFilters(wanted);
  const selection = {
    matching: sql`
      select document_id as id from document_texts ${join}
      where ${allOf([ofDocument(terms), ...filters])} order by document_id desc`,
    columns: sql`id`,
    from: sql`matching`,
    order: sql`id desc`,
  };
  return select(searcher, selection, page);
}
