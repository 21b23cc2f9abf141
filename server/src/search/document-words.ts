import {
  isSequence,
  type LongerWords,
  type Term,
  tsqueryOfAny,
  tsqueryOfDocument,
  tsqueryOfTerm,
} from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/client.ts';
import { allOf, anyOf } from '../db/conditions.ts';

/*
 * document_words has the words of each document as a whole: those on its pages, whose positions are the numbers of the
 * pages, and with weight A those of its name, its description and its customer. So a search finds documents whose words
 * are on different pages, and looks into one index entry for each word and document, however many pages have it.
 * Sequences, such as phrases, need the words in their order, which the record and each page have.
 */

/** Call it when the words of pages have changed, after these. */
export async function collectWords(db: Database, documentId: number): Promise<void> {
  await sql`select collect_document_words(${documentId})`.execute(db);
}

const splitSequences = (terms: Term[]): [Term[], Term[]] => [
  terms.filter(isSequence),
  terms.filter((term) => !isSequence(term)),
];

const wantedOf = (terms: Term[]) => terms.filter(({ isExcluded }) => !isExcluded);

/** Whether the row of document_words has all terms. Sequences may be in any order: compare them with `hasSequences`. */
export const hasWords = (terms: Term[], longerWords?: LongerWords): RawBuilder<boolean> =>
  sql`document_words.words @@ ${tsqueryOfDocument(terms, longerWords)}::tsquery`;

// The index is slower only for words that one document in fifteen has, of two million.
const maxAskedFor = 100_000;

/**
 * Selects the newest of these rows of document_words, whose words were compared. PostgreSQL does not know how long it
 * takes to read the words of a row. If it were asked for a few rows, it would read the newest ones until so many match,
 * which for a word in one of fifty documents takes a second. So it is asked for more than are then read.
 */
export const newestOf = (rows: RawBuilder<unknown>, count: number): RawBuilder<unknown> => sql`
  with newest as materialized (${rows} order by document_id desc limit ${sql.lit(maxAskedFor)})
  select * from newest limit ${sql.lit(count)}`;

/**
 * Whether there is a row. For `exists`, PostgreSQL may prefer to compare the whole table once, which takes seconds, because
 * it does not know how long it takes to read the words of a row.
 */
const isThere = (rows: RawBuilder<unknown>) => sql<boolean>`(select true ${rows} limit 1) is not null`;

const pageHas = (documentId: RawBuilder<unknown>, query: string) =>
  isThere(sql`
    from document_pages
    where document_pages.document_id = ${documentId} and document_pages.words @@ ${query}::tsquery`);

const withoutExclusion = (term: Term): Term => ({ ...term, isExcluded: false });

/** Whether the document has all terms of several words, which `hasWords` compares in any order or not at all. */
export function hasSequences(documentId: RawBuilder<unknown>, terms: Term[]): RawBuilder<boolean> {
  const conditions = terms.filter(isSequence).map((term) => {
    const query = tsqueryOfTerm(withoutExclusion(term));
    const recordHas = isThere(sql`
      from document_texts
      where document_texts.document_id = ${documentId} and document_texts.words @@ ${query}::tsquery`);
    const isFound = anyOf([recordHas, pageHas(documentId, query)]);
    return term.isExcluded ? sql<boolean>`not ${isFound}` : isFound;
  });
  return allOf(conditions);
}

/** Whether a page of the document has a wanted term: without one, all of them are in its record. */
export function isFoundOnPages(
  { documentId, words }: { documentId: RawBuilder<unknown>; words: RawBuilder<unknown> },
  terms: Term[],
  longerWords?: LongerWords,
): RawBuilder<boolean> {
  const [sequences, others] = splitSequences(wantedOf(terms));
  const othersQuery = tsqueryOfAny(others, longerWords);
  return anyOf([
    ...(others.length > 0 ? [sql<boolean>`ts_filter(${words}, '{d}') @@ ${othersQuery}::tsquery`] : []),
    ...(sequences.length > 0 ? [pageHas(documentId, tsqueryOfAny(sequences))] : []),
  ]);
}

/** Whether no page of a document, whose record has none of the excluded terms, has one either. */
export function isNotExcludedByPages(documentId: RawBuilder<unknown>, terms: Term[]): RawBuilder<boolean> {
  const excluded = terms.filter(({ isExcluded }) => isExcluded).map(withoutExclusion);
  const [sequences, others] = splitSequences(excluded);
  const documentHas = (query: string) =>
    isThere(sql`
      from document_words where document_id = ${documentId} and document_words.words @@ ${query}::tsquery`);
  return allOf([
    ...(others.length > 0 ? [sql<boolean>`not ${documentHas(tsqueryOfAny(others))}`] : []),
    ...(sequences.length > 0 ? [sql<boolean>`not ${pageHas(documentId, tsqueryOfAny(sequences))}`] : []),
  ]);
}
