import type { DocumentHitsQuery, SearchGroup, SearchQuery } from '@customer-database/contract/search';
import { parseQuestion, type Term, writeQuestion } from '@customer-database/words/question';
import type { Context } from '../../core/context.ts';
import { fieldError } from '../../http/errors.ts';
import { correctTerms, findLongerWords } from '../../search/vocabulary/commands.ts';
import { type CustomerRow, listCustomersById } from '../customers/commands.ts';
import { getDocument, type ListedDocument, listDocumentsById } from '../documents/commands.ts';
import * as repo from './repo.ts';
import { type Found, noMatches } from './search-group.ts';
import * as textRepo from './text-repo.ts';

export type FoundPage = textRepo.DocumentWithPage & { document: ListedDocument };

export type SearchResult = {
  /** The terms that the results match, to be highlighted. */
  terms: Term[];
  customers: Found<CustomerRow>;
  documents: Found<ListedDocument>;
  pages: Found<FoundPage>;
  /** The text that was searched for instead. */
  corrected: string | null;
};

export type FoundHits = Awaited<ReturnType<typeof textRepo.findHitPages>> & { terms: Term[] };

// Each term costs a look into the index.
const maxTerms = 20;

/** Customers have no type and no day of upload: these filters exclude them. */
function groupsOf({ in: only, type, from, to }: SearchQuery): Set<SearchGroup> {
  if (only) return new Set([only]);
  return new Set(type || from || to ? ['documents', 'text'] : ['customers', 'documents', 'text']);
}

type FoundIds = {
  customers: Found<{ id: number }>;
  documents: Found<{ id: number }>;
  pages: Found<textRepo.DocumentWithPage>;
};

async function findMatches(ctx: Context, terms: Term[], query: SearchQuery): Promise<FoundIds> {
  const groups = groupsOf(query);
  const slice = { limit: query.limit, offset: (query.page - 1) * query.limit };
  const longerWords = await findLongerWords(ctx, terms);
  const question = { terms, longerWords, filters: query, timeZone: ctx.deps.config.timeZone };
  return {
    customers: groups.has('customers') ? await repo.findCustomers(ctx, question, slice) : noMatches,
    documents: groups.has('documents') ? await repo.findDocuments(ctx, question, slice) : noMatches,
    pages: groups.has('text') ? await textRepo.findByText(ctx, question, slice) : noMatches,
  };
}

const isEmpty = ({ customers, documents, pages }: FoundIds) =>
  customers.count + documents.count + pages.count === 0;

/** Loads the records of the matches, without those that were deleted meanwhile. */
async function loadRecords(ctx: Context, { customers, documents, pages }: FoundIds) {
  const documentIds = new Set([...documents.items.map(({ id }) => id), ...pages.items.map(({ id }) => id)]);
  const listed = await listDocumentsById(ctx, [...documentIds]);
  const documentOf = new Map(listed.map((document) => [document.id, document]));
  const customerIds = customers.items.map(({ id }) => id);
  return {
    customers: { ...customers, items: await listCustomersById(ctx, customerIds) },
    documents: { ...documents, items: documents.items.flatMap(({ id }) => documentOf.get(id) ?? []) },
    pages: {
      ...pages,
      items: pages.items.flatMap((found) => {
        const document = documentOf.get(found.id);
        return document ? { ...found, document } : [];
      }),
    },
  };
}

/** Not logged as a view, because the hits say no more about the document than a search does. */
export async function findHits(
  ctx: Context,
  documentId: number,
  { q = '', snippets }: DocumentHitsQuery,
): Promise<FoundHits> {
  await getDocument(ctx, documentId);
  const terms = parseQuestion(q);
  const longerWords = await findLongerWords(ctx, terms);
  return { terms, ...(await textRepo.findHitPages(ctx, documentId, { terms, longerWords }, snippets)) };
}

function parseSearch(question: string): Term[] {
  const terms = parseQuestion(question);
  if (terms.length > maxTerms) throw fieldError('q', `Search for at most ${maxTerms} words`);
  if (terms.length > 0 && terms.every(({ isExcluded }) => isExcluded)) {
    throw fieldError('q', 'Enter at least one word to look for, besides those to exclude');
  }
  return terms;
}

/** If nothing matches because a word is unknown, searches for the nearest known word instead. */
export async function searchEverywhere(ctx: Context, query: SearchQuery): Promise<SearchResult> {
  const terms = parseSearch(query.q ?? '');
  if (terms.length === 0) {
    return { terms, customers: noMatches, documents: noMatches, pages: noMatches, corrected: null };
  }
  const found = await findMatches(ctx, terms, query);
  const corrected = isEmpty(found) ? await correctTerms(ctx, terms) : undefined;
  const foundInstead = corrected && (await findMatches(ctx, corrected, query));
  if (!foundInstead || isEmpty(foundInstead)) {
    return { terms, ...(await loadRecords(ctx, found)), corrected: null };
  }
  return { terms: corrected, ...(await loadRecords(ctx, foundInstead)), corrected: writeQuestion(corrected) };
}
