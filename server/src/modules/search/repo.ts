import { limits } from '@customer-database/contract/limits';
import type { WordBox } from '@customer-database/extractor/protocol';
import { candidatesOf, type Term, tsqueryOf } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import { allOf, contains, customerWords, type Days, startsWith, withinDays } from '../../db/search.ts';
import { inSearchSlot, type Searcher } from '../../db/search-slots.ts';

/*
 * None of these statements is prepared: the planner has to know the words. It reads the index of words if few records
 * have them, and otherwise the newest records until enough are found.
 */

export type Found<Item> = { items: Item[]; count: number; isCapped: boolean };
export type Page = { limit: number; offset: number };

export const nothing: Found<never> = { items: [], count: 0, isCapped: false };

type Selection = {
  /** The matches, as many as are counted at most. */
  matching: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
};

/** No more matches are read and sorted than are counted. */
async function select<Item extends object>(
  searcher: Searcher,
  { matching, columns, from, order }: Selection,
  { limit, offset }: Page,
): Promise<Found<Item>> {
  const { rows } = await inSearchSlot(searcher, () =>
    sql<{ matches: number; item: Item | null }>`
      with matching as materialized (${matching} limit ${sql.lit(limits.maxHits + 1)}),
      shown as (
        select ${columns}, row_number() over (order by ${order}) as place from ${from}
        order by place offset ${offset} limit ${limit}
      )
      select (select count(*)::int from matching) as matches, to_jsonb(shown) as item
      from (select) as once left join shown on true order by place`.execute(searcher.db),
  );
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
function documentFilters({ mimeType, customerId, ...days }: DocumentFilters): {
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

const ofDocument = (terms: Term[]) => sql<boolean>`document_texts.words @@ ${recordQuery(terms)}`;
const ofPage = (query: string) => sql<boolean>`document_pages.words @@ ${query}::tsquery`;

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

export type PageRow = { document_id: number; page: number; content: string };

const newestPages = sql`order by document_id desc, page`;
const pageColumns = sql`document_id, page, content`;

// They take half a second.
const maxCandidates = 50_000;

type PageSource = { tables: RawBuilder<unknown>; filters: RawBuilder<boolean>[] };

/**
 * The newest pages that have all of the words. The planner knows how many pages have the words of a phrase, but not
 * how few have them next to each other, and would read every page for some.
 */
function pagesWith(terms: Term[], { tables, filters }: PageSource): RawBuilder<unknown> | undefined {
  const query = tsqueryOf(terms);
  if (query === undefined) return undefined;
  const select = (wanted: string, columns: RawBuilder<unknown>) => sql`
    select ${columns} from ${tables} where ${allOf([ofPage(wanted), ...filters])} ${newestPages}`;
  const candidates = candidatesOf(terms);
  if (candidates === undefined) return select(query, sql`document_id, page`);
  return sql`
    select document_id, page
    from (${select(candidates, sql`document_id, page, document_pages.words`)} limit ${sql.lit(maxCandidates)})
      as document_pages
    where ${ofPage(query)} ${newestPages}`;
}

/** Pages that have all of the words. The best first; those of a year ago count half. */
export async function findPages(
  searcher: Searcher,
  terms: Term[],
  wanted: DocumentFilters,
  page: Page,
): Promise<Found<PageRow>> {
  const { join, filters } = documentFilters(wanted);
  const matching = pagesWith(terms, { tables: sql`document_pages ${join}`, filters });
  if (matching === undefined) return nothing;
  const score = sql`ts_rank_cd(words, ${tsqueryOf(terms)}::tsquery, 1)
    / (1 + extract(epoch from now() - uploaded_at) / 31536000)`;
  const selection = {
    matching,
    columns: pageColumns,
    from: sql`matching join document_pages using (document_id, page) join documents on documents.id = document_id`,
    order: sql`${score} desc, document_id desc, page`,
  };
  return select(searcher, selection, page);
}

// Nobody looks at more.
const maxHitPages = 500;

export type HitPageRow = { page: number; boxes: WordBox[] | null };

/** The pages of one document that have all of the words. */
export async function findHitPages(db: Database, documentId: number, terms: Term[]): Promise<HitPageRow[]> {
  const query = tsqueryOf(terms);
  if (query === undefined) return [];
  const { rows } = await sql<HitPageRow>`
    select page, boxes from document_pages where document_id = ${documentId} and ${ofPage(query)}
    order by page limit ${maxHitPages}`.execute(db);
  return rows;
}

// More words than this are not shared out.
const maxShared = 5;

/** Every way to cut the terms in two. What is excluded must stand in neither part. */
function waysToShare(terms: Term[]): { named: Term[]; read: Term[] }[] {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded);
  const excluded = terms.filter(({ isExcluded }) => isExcluded);
  if (wanted.length > maxShared) return [];
  return wanted.slice(1).flatMap((_, index) => {
    const [first, last] = [wanted.slice(0, index + 1), wanted.slice(index + 1)];
    return [
      [first, last],
      [last, first],
    ].map(([named = [], read = []]) => ({
      named: [...named, ...excluded],
      read: [...read, ...excluded],
    }));
  });
}

/** Pages that have some of the words, of documents whose name, description or customer has the others. */
export async function findPagesOfNamed(
  searcher: Searcher,
  terms: Term[],
  wanted: DocumentFilters,
  page: Page,
): Promise<Found<PageRow>> {
  const { join, filters } = documentFilters(wanted);
  const tables = sql`document_pages join document_texts using (document_id) ${join}`;
  const found = waysToShare(terms).flatMap(({ named, read }) => {
    const pages = pagesWith(read, { tables, filters: [ofDocument(named), ...filters] });
    return pages ? sql`(${pages} limit ${sql.lit(limits.maxHits + 1)})` : [];
  });
  if (found.length === 0) return nothing;
  const selection = {
    matching: sql`select * from (${sql.join(found, sql` union `)}) as found ${newestPages}`,
    columns: pageColumns,
    from: sql`matching join document_pages using (document_id, page)`,
    order: sql`document_id desc, page`,
  };
  return select(searcher, selection, page);
}
