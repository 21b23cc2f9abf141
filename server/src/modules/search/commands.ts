import { documentTypes } from '@customer-database/contract/documents';
import type { SearchGroup, SearchQuery } from '@customer-database/contract/search';
import { parseQuestion, type Term, writeQuestion } from '@customer-database/words/question';
import type { Context } from '../../core/context.ts';
import { fieldError } from '../../http/errors.ts';
import { correctTerms } from '../../search/vocabulary/commands.ts';
import { type CustomerRow, listCustomersById } from '../customers/commands.ts';
import { getDocument, type ListedDocument, listDocumentsById } from '../documents/commands.ts';
import * as pagesRepo from './pages-repo.ts';
import * as repo from './repo.ts';

export type FoundPage = pagesRepo.PageRow & { document: ListedDocument };

export type SearchResult = {
  /** What was searched for: to be marked. */
  terms: Term[];
  customers: repo.Found<CustomerRow>;
  documents: repo.Found<ListedDocument>;
  pages: repo.Found<FoundPage>;
  /** The question that was searched for instead. */
  corrected: string | null;
};

export type FoundHits = { terms: Term[]; pages: pagesRepo.HitPageRow[] };

// Each costs a look into the index.
const maxTerms = 20;

/** Only documents have a type and a day: with such a filter customers are not searched. */
function groupsOf({ in: only, type, from, to }: SearchQuery): Set<SearchGroup> {
  if (only) return new Set([only]);
  return new Set(type || from || to ? ['documents', 'text'] : ['customers', 'documents', 'text']);
}

async function findPages(ctx: Context, terms: Term[], filters: repo.DocumentFilters, page: repo.Page) {
  const found = await pagesRepo.findPages(ctx, terms, filters, page);
  if (found.count > 0) return found;
  const ofNamed = await pagesRepo.findPagesOfNamed(ctx, terms, filters, page);
  return ofNamed.count > 0 ? ofNamed : found;
}

type FoundIds = {
  customers: repo.Found<{ id: number }>;
  documents: repo.Found<{ id: number }>;
  pages: repo.Found<pagesRepo.PageRow>;
};

async function findIn(ctx: Context, terms: Term[], query: SearchQuery): Promise<FoundIds> {
  const groups = groupsOf(query);
  const page = { limit: query.limit, offset: (query.page - 1) * query.limit };
  const filters: repo.DocumentFilters = {
    mimeType: query.type && documentTypes[`.${query.type}`],
    customerId: query.customer_id,
    from: query.from,
    to: query.to,
    timeZone: ctx.deps.config.timeZone,
  };
  return {
    customers: groups.has('customers')
      ? await repo.findCustomers(ctx, terms, query.customer_id, page)
      : repo.nothing,
    documents: groups.has('documents') ? await repo.findDocuments(ctx, terms, filters, page) : repo.nothing,
    pages: groups.has('text') ? await findPages(ctx, terms, filters, page) : repo.nothing,
  };
}

const isEmpty = ({ customers, documents, pages }: FoundIds) =>
  customers.count + documents.count + pages.count === 0;

/** Whatever was deleted meanwhile is left out. */
async function withRecords(ctx: Context, { customers, documents, pages }: FoundIds) {
  const documentIds = new Set([
    ...documents.items.map(({ id }) => id),
    ...pages.items.map(({ document_id }) => document_id),
  ]);
  const listed = await listDocumentsById(ctx, [...documentIds]);
  const documentOf = new Map(listed.map((document) => [document.id, document]));
  const customerIds = customers.items.map(({ id }) => id);
  return {
    customers: { ...customers, items: await listCustomersById(ctx, customerIds) },
    documents: { ...documents, items: documents.items.flatMap(({ id }) => documentOf.get(id) ?? []) },
    pages: {
      ...pages,
      items: pages.items.flatMap((found) => {
        const document = documentOf.get(found.document_id);
        return document ? { ...found, document } : [];
      }),
    },
  };
}

/** Where one document has the words. Says no more than a search does, and is not logged as a view. */
export async function findHits(ctx: Context, documentId: number, question: string): Promise<FoundHits> {
  await getDocument(ctx, documentId);
  const terms = parseQuestion(question);
  return { terms, pages: await pagesRepo.findHitPages(ctx, documentId, terms) };
}

/** If nothing has one of the words, the nearest word that exists is searched for instead. */
export async function searchEverywhere(ctx: Context, query: SearchQuery): Promise<SearchResult> {
  const terms = parseQuestion(query.q ?? '');
  if (terms.length > maxTerms) throw fieldError('q', `Search for at most ${maxTerms} words`);
  if (terms.every(({ isExcluded }) => isExcluded)) {
    return { terms, customers: repo.nothing, documents: repo.nothing, pages: repo.nothing, corrected: null };
  }
  const found = await findIn(ctx, terms, query);
  const corrected = isEmpty(found) ? await correctTerms(ctx, terms) : undefined;
  const foundInstead = corrected && (await findIn(ctx, corrected, query));
  if (!foundInstead || isEmpty(foundInstead)) {
    return { terms, ...(await withRecords(ctx, found)), corrected: null };
  }
  return { terms: corrected, ...(await withRecords(ctx, foundInstead)), corrected: writeQuestion(corrected) };
}
