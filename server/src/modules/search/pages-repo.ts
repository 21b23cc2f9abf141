import { limits } from '@customer-database/contract/limits';
import type { WordBox } from '@customer-database/extractor/protocol';
import { candidatesOf, type Term, tsqueryOf } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf } from '../../db/conditions.ts';
import { limitSearches, type Searcher } from '../../search/limit.ts';
import { findPhrase } from '../../search/phrases.ts';
import {
  type DocumentFilters,
  documentConditions,
  type Found,
  type GroupSearch,
  noMatches,
  recordHas,
  type Slice,
  searchGroup,
} from './repo.ts';

export type PageRow = { document_id: number; page: number; content: string };

// Reading 50,000 pages takes 0.5 s if their words are rare, and 2 s if they are common.
const maxCandidates = 50_000;

const newestFirst = sql`order by document_id desc, page`;
const pageMatches = (query: string) => sql<boolean>`document_pages.words @@ ${query}::tsquery`;

type PageSource = { tables: RawBuilder<unknown>; conditions: RawBuilder<boolean>[] };

/**
 * Selects the newest pages that have all terms; undefined if there is no word to find. The planner cannot estimate how
 * few pages have the words of a phrase next to each other, and would read every page for some phrases. So a phrase is
 * compared only with `maxPages` candidates, which have its words anywhere.
 */
function selectPagesWith(
  terms: Term[],
  { tables, conditions }: PageSource,
  maxPages: number,
): RawBuilder<unknown> | undefined {
  const query = tsqueryOf(terms);
  if (query === undefined) return undefined;
  const selectMatching = (wanted: string, columns: RawBuilder<unknown>) => sql`
    select ${columns} from ${tables} where ${allOf([pageMatches(wanted), ...conditions])} ${newestFirst}`;
  const candidates = candidatesOf(terms);
  if (candidates === undefined) return selectMatching(query, sql`document_id, page`);
  return sql`
    select document_id, page
    from (${selectMatching(candidates, sql`document_id, page, document_pages.words`)} limit ${sql.lit(maxPages)})
      as document_pages
    where ${pageMatches(query)} ${newestFirst}`;
}

/** Reads at most `maxPages` candidates for phrases. Undefined if there is no word to find. */
type PageSearch = (maxPages: number) => Omit<GroupSearch, 'columns'> | undefined;

/** Finds pages that have all terms. The best come first; a page that is a year old counts half. */
function allTermsOnPage(terms: Term[], filters: DocumentFilters): PageSearch {
  const { join, conditions } = documentConditions(filters);
  const score = sql`ts_rank_cd(document_pages.words, ${tsqueryOf(terms)}::tsquery, 1)
    / (1 + extract(epoch from now() - uploaded_at) / 31536000)`;
  return (maxPages) => {
    const matching = selectPagesWith(terms, { tables: sql`document_pages ${join}`, conditions }, maxPages);
    return (
      matching && {
        matching,
        shown: sql`matching join document_pages using (document_id, page) join documents on documents.id = document_id`,
        order: sql`${score} desc, document_id desc, page`,
      }
    );
  };
}

type TermSplit = { inRecord: Term[]; inPage: Term[] };

// Each split costs a search, and there are two for each further term.
const maxTermsToSplit = 5;

/**
 * Every split of the terms into those that come first and those that come last, with either part in the record of the
 * document. Excluded terms must be in neither part.
 */
function splitsIntoRecordAndPage(terms: Term[]): TermSplit[] {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded);
  const excluded = terms.filter(({ isExcluded }) => isExcluded);
  if (wanted.length > maxTermsToSplit) return [];
  return wanted.slice(1).flatMap((_, index) => {
    const first = [...wanted.slice(0, index + 1), ...excluded];
    const last = [...wanted.slice(index + 1), ...excluded];
    return [
      { inRecord: first, inPage: last },
      { inRecord: last, inPage: first },
    ];
  });
}

/** Finds pages that have some of the terms, of documents whose name, description or customer has the others. */
function termsInRecordAndPage(terms: Term[], filters: DocumentFilters): PageSearch {
  const { join, conditions } = documentConditions(filters);
  const tables = sql`document_pages join document_texts using (document_id) ${join}`;
  const splits = splitsIntoRecordAndPage(terms);
  return (maxPages) => {
    const pagesOfSplits = splits.flatMap(({ inRecord, inPage }) => {
      const source = { tables, conditions: [recordHas(inRecord), ...conditions] };
      const pages = selectPagesWith(inPage, source, Math.ceil(maxPages / splits.length));
      return pages ? sql`(${pages} limit ${sql.lit(limits.maxHits + 1)})` : [];
    });
    if (pagesOfSplits.length === 0) return undefined;
    return {
      matching: sql`select * from (${sql.join(pagesOfSplits, sql` union `)}) as found ${newestFirst}`,
      shown: sql`matching join document_pages using (document_id, page)`,
      order: sql`document_id desc, page`,
    };
  };
}

async function runPageSearch(
  searcher: Searcher,
  terms: Term[],
  pageSearch: PageSearch,
  slice: Slice,
): Promise<Found<PageRow>> {
  const run = async (maxPages: number, timeoutMs?: number): Promise<Found<PageRow>> => {
    const search = pageSearch(maxPages);
    const columns = sql`document_id, page, content`;
    return search ? searchGroup(searcher, { columns, ...search }, slice, timeoutMs) : noMatches;
  };
  const hasPhrase = candidatesOf(terms) !== undefined;
  if (!hasPhrase) return run(maxCandidates);
  const { found, isPartial } = await findPhrase(({ timeoutMs, newestPages = maxCandidates }) =>
    run(newestPages, timeoutMs),
  );
  return isPartial ? { ...found, isCapped: true } : found;
}

/** Pages that have all terms. If there are none, pages that have some of them, where the record has the others. */
export async function findPages(
  searcher: Searcher,
  terms: Term[],
  filters: DocumentFilters,
  slice: Slice,
): Promise<Found<PageRow>> {
  const onPage = await runPageSearch(searcher, terms, allTermsOnPage(terms, filters), slice);
  if (onPage.count > 0) return onPage;
  const inBoth = await runPageSearch(searcher, terms, termsInRecordAndPage(terms, filters), slice);
  return inBoth.count > 0 ? inBoth : onPage;
}

// UI limit.
const maxHitPages = 500;

export type HitPageRow = { page: number; boxes: WordBox[] | null };

/** The pages of one document that have all terms. */
export async function findHitPages(
  searcher: Searcher,
  documentId: number,
  terms: Term[],
): Promise<HitPageRow[]> {
  const query = tsqueryOf(terms);
  if (query === undefined) return [];
  const statement = sql<HitPageRow>`
    select page, boxes from document_pages where document_id = ${documentId} and ${pageMatches(query)}
    order by page limit ${maxHitPages}`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db));
  return rows;
}
