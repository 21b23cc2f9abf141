import type { WordBox } from '@customer-database/extractor/protocol';
import {
  type LongerWords,
  type Term,
  tsqueryOfAny,
  tsqueryOfDocument,
  tsqueryOfTerm,
} from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf } from '../../db/conditions.ts';
import { hasSequences, hasWords, isFoundOnPages, newestOf } from '../../search/document-words.ts';
import { limitSearches, type Searcher } from '../../search/limit.ts';
import { findWithPhrases } from '../../search/phrases.ts';
import { documentConditions, maxCandidates, type Question } from './repo.ts';
import { type Found, type Slice, searchGroup } from './search-group.ts';

type FoundDocument = { id: number; is_whole: boolean };

export type DocumentWithPage = { id: number; page: number; content: string; more_pages: number };

const wantedOf = (terms: Term[]) => terms.filter(({ isExcluded }) => !isExcluded);

/** Selects the newest documents that have all terms in their record or on any page, sequences in any order. */
function selectCandidates(
  question: Question,
  longerWords: LongerWords | undefined,
  newestDocuments?: number,
) {
  const { join, conditions } = documentConditions(question);
  const rows = sql`
    select document_id, document_words.words from document_words ${join}
    where ${allOf([hasWords(question.terms, longerWords), ...conditions])}`;
  return newestDocuments === undefined
    ? sql`${rows} order by document_id desc limit ${sql.lit(maxCandidates)}`
    : newestOf(rows, newestDocuments);
}

/**
 * Selects the candidates that have the sequences, and at least one term on a page. Those of a large document follow each
 * other; unlike `distinct`, `lag` reads no more candidates than are needed, in PostgreSQL 15 and 16 too.
 */
function selectMatches(terms: Term[], longerWords: LongerWords | undefined, candidates: RawBuilder<unknown>) {
  const row = { documentId: sql.ref('candidates.document_id'), words: sql.ref('candidates.words') };
  return sql`
    select document_id as id from (
      select document_id, lag(document_id) over () as previous from ${candidates} as candidates
      where ${allOf([isFoundOnPages(row, terms, longerWords), hasSequences(row.documentId, terms)])}
    ) as found
    where document_id is distinct from previous`;
}

/**
 * Selects the pages of a document that have the most of the terms, with the columns. If all terms are together on some
 * pages, others do not count.
 */
function selectBestPages(
  documentId: RawBuilder<unknown>,
  terms: Term[],
  columns: RawBuilder<unknown>,
  longerWords?: LongerWords,
): RawBuilder<unknown> {
  const hasTerm = (term: Term) => sql`(words @@ ${tsqueryOfTerm(term, longerWords)}::tsquery)::int`;
  const counted = sql.join(wantedOf(terms).map(hasTerm), sql` + `);
  return sql`
    select ${columns} from (
      select *, max(terms) over () as most from (
        select document_pages.*, ${counted} as terms from document_pages
        where document_id = ${documentId} and words @@ ${tsqueryOfAny(terms, longerWords)}::tsquery
      ) as pages
    ) as pages
    where terms = most`;
}

/**
 * Documents by the words on their pages, each with its best page. Those come first whose words are on the same pages or
 * in the name of the document; a document that is a year old counts half.
 */
export async function findByText(
  searcher: Searcher,
  question: Question,
  slice: Slice,
): Promise<Found<DocumentWithPage>> {
  const { terms, longerWords } = question;
  const wanted = tsqueryOfDocument(wantedOf(terms), longerWords);
  const closeness = sql`ts_rank_cd(document_words.words, ${wanted}::tsquery, 1)`;
  const age = sql`(1 + extract(epoch from now() - documents.uploaded_at) / 31536000)`;
  const { found, isPartial } = await findWithPhrases(terms, ({ timeoutMs, newestDocuments }) =>
    searchGroup<FoundDocument>(
      searcher,
      {
        longerWords,
        candidates: {
          select: (longer) => selectCandidates(question, longer, newestDocuments),
          atMost: newestDocuments ?? maxCandidates,
        },
        matching: (longer, candidates) => selectMatches(terms, longer, candidates),
        joins: sql`
          join documents on documents.id = matching.id
          join document_words on document_words.document_id = matching.id and section <= 1`,
        columns: sql`, is_whole`,
        order: sql`${closeness} / ${age} desc, matching.id desc`,
      },
      slice,
      timeoutMs,
    ),
  );
  const items = await addBestPages(searcher, question, found.items);
  return { ...found, items, isCapped: found.isCapped || isPartial };
}

/** Leaves out documents whose pages were deleted meanwhile. */
async function addBestPages(
  searcher: Searcher,
  { terms, longerWords }: Question,
  documents: FoundDocument[],
): Promise<DocumentWithPage[]> {
  if (documents.length === 0) return [];
  const columns = sql`page, content, count(*) over () - 1 as more_pages`;
  const bestPage = (isWhole: boolean, longer?: LongerWords) => {
    const pages = selectBestPages(sql.ref('found.id'), terms, columns, longer);
    const closeness = sql`ts_rank_cd(words, ${tsqueryOfAny(terms, longer)}::tsquery)`;
    return sql`(${pages} and found.is_whole = ${sql.lit(isWhole)} order by ${closeness} desc, page limit 1)`;
  };
  const statement = sql<DocumentWithPage>`
    select found.id, best.page, best.content, best.more_pages::int
    from unnest(${documents.map(({ id }) => id)}::bigint[], ${documents.map(({ is_whole }) => is_whole)}::boolean[])
      with ordinality as found (id, is_whole, rank)
    cross join lateral (${bestPage(true)} union all ${bestPage(false, longerWords)}) as best
    order by rank`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db));
  return rows;
}

// UI limit.
const maxHitPages = 500;

export type HitPageRow = { page: number; boxes: WordBox[] | null; content: string | null };

/** Whether each term is somewhere in the document as a word or the beginning of one. */
async function hasWholeWords(searcher: Searcher, documentId: number, terms: Term[]): Promise<boolean> {
  const statement = sql`
    select from document_words where document_id = ${documentId} and ${hasWords(wantedOf(terms))} limit 1`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db));
  return rows.length > 0;
}

/** The pages of one document that have the most of the terms; the first ones with their content. */
export async function findHitPages(
  searcher: Searcher,
  documentId: number,
  { terms, longerWords }: Pick<Question, 'terms' | 'longerWords'>,
  withContent: number,
): Promise<{ pages: HitPageRow[]; isInsideOfWords: boolean }> {
  if (wantedOf(terms).length === 0) return { pages: [], isInsideOfWords: false };
  const isInsideOfWords = longerWords.size > 0 && !(await hasWholeWords(searcher, documentId, terms));
  const columns = sql`
    page, boxes, case when row_number() over (order by page) <= ${withContent} then content end as content`;
  const pages = selectBestPages(
    sql`${documentId}`,
    terms,
    columns,
    isInsideOfWords ? longerWords : undefined,
  );
  const statement = sql<HitPageRow>`${pages} order by page limit ${sql.lit(maxHitPages)}`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db));
  return { pages: rows, isInsideOfWords };
}
