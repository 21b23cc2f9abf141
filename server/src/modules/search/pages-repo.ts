import { limits } from '@customer-database/contract/limits';
import type { WordBox } from '@customer-database/extractor/protocol';
import { candidatesOf, type Term, tsqueryOf } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf } from '../../db/conditions.ts';
import { limitSearches, type Searcher } from '../../search/limit.ts';
import { findPhrase } from '../../search/phrases.ts';
import {
  type DocumentFilters,
  documentFilters,
  type Found,
  nothing,
  ofDocument,
  type Page,
  type Selection,
  select,
} from './repo.ts';

const ofPage = (query: string) => sql<boolean>`document_pages.words @@ ${query}::tsquery`;

export type PageRow = { document_id: number; page: number; content: string };

const newestPages = sql`order by document_id desc, page`;
const pageColumns = sql`document_id, page, content`;

// Rare words: half a second. Common ones: two.
const maxCandidates = 50_000;

type PageSource = { tables: RawBuilder<unknown>; filters: RawBuilder<boolean>[] };

/**
 * The newest pages that have all of the words. The planner knows how many pages have the words of a phrase, but not
 * how few have them next to each other, and would read every page for some.
 */
function pagesWith(
  terms: Term[],
  newest: number,
  { tables, filters }: PageSource,
): RawBuilder<unknown> | undefined {
  const query = tsqueryOf(terms);
  if (query === undefined) return undefined;
  const select = (wanted: string, columns: RawBuilder<unknown>) => sql`
    select ${columns} from ${tables} where ${allOf([ofPage(wanted), ...filters])} ${newestPages}`;
  const candidates = candidatesOf(terms);
  if (candidates === undefined) return select(query, sql`document_id, page`);
  return sql`
    select document_id, page
    from (${select(candidates, sql`document_id, page, document_pages.words`)} limit ${sql.lit(newest)})
      as document_pages
    where ${ofPage(query)} ${newestPages}`;
}

/** Nothing if there is nothing to match. */
async function selectPages(
  searcher: Searcher,
  terms: Term[],
  page: Page,
  selectionOf: (
    newest: number,
  ) => Omit<Selection, 'matching'> & { matching: RawBuilder<unknown> | undefined },
): Promise<Found<PageRow>> {
  const selectFrom = async (newest: number, timeoutMs?: number): Promise<Found<PageRow>> => {
    const { matching, ...selection } = selectionOf(newest);
    return matching ? select(searcher, { matching, ...selection }, page, timeoutMs) : nothing;
  };
  if (candidatesOf(terms) === undefined) return selectFrom(maxCandidates);
  const { found, isPartial } = await findPhrase(({ timeoutMs, newestPages: newest = maxCandidates }) =>
    selectFrom(newest, timeoutMs),
  );
  return isPartial ? { ...found, isCapped: true } : found;
}

/** Pages that have all of the words. The best first; those of a year ago count half. */
export function findPages(
  searcher: Searcher,
  terms: Term[],
  wanted: DocumentFilters,
  page: Page,
): Promise<Found<PageRow>> {
  const { join, filters } = documentFilters(wanted);
  const tables = sql`document_pages ${join}`;
  const score = sql`ts_rank_cd(words, ${tsqueryOf(terms)}::tsquery, 1)
    / (1 + extract(epoch from now() - uploaded_at) / 31536000)`;
  return selectPages(searcher, terms, page, (newest) => ({
    matching: pagesWith(terms, newest, { tables, filters }),
    columns: pageColumns,
    from: sql`matching join document_pages using (document_id, page) join documents on documents.id = document_id`,
    order: sql`${score} desc, document_id desc, page`,
  }));
}

// UI limit.
const maxHitPages = 500;

export type HitPageRow = { page: number; boxes: WordBox[] | null };

/** The pages of one document that have all of the words. */
export async function findHitPages(
  searcher: Searcher,
  documentId: number,
  terms: Term[],
): Promise<HitPageRow[]> {
  const query = tsqueryOf(terms);
  if (query === undefined) return [];
  const statement = sql<HitPageRow>`
    select page, boxes from document_pages where document_id = ${documentId} and ${ofPage(query)}
    order by page limit ${maxHitPages}`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db));
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
export function findPagesOfNamed(
  searcher: Searcher,
  terms: Term[],
  wanted: DocumentFilters,
  page: Page,
): Promise<Found<PageRow>> {
  const { join, filters } = documentFilters(wanted);
  const tables = sql`document_pages join document_texts using (document_id) ${join}`;
  const ways = waysToShare(terms);
  return selectPages(searcher, terms, page, (newest) => {
    const found = ways.flatMap(({ named, read }) => {
      const source = { tables, filters: [ofDocument(named), ...filters] };
      const pages = pagesWith(read, Math.ceil(newest / ways.length), source);
      return pages ? sql`(${pages} limit ${sql.lit(limits.maxHits + 1)})` : [];
    });
    return {
      matching:
        found.length > 0
          ? sql`select * from (${sql.join(found, sql` union `)}) as found ${newestPages}`
          : undefined,
      columns: pageColumns,
      from: sql`matching join document_pages using (document_id, page)`,
      order: sql`document_id desc, page`,
    };
  });
}
