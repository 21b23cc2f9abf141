import type { DocumentHitsResponse, SearchResponse } from '@customer-database/contract/search';
import { snippetOf } from '@customer-database/words/snippet';
import type { SignedInContext } from '../../core/context.ts';
import { presentCustomer } from '../customers/present.ts';
import { presentDocument } from '../documents/present.ts';
import { hitBoxesOf } from './boxes.ts';
import type { FoundHits, SearchResult } from './commands.ts';
import type { Found } from './search-group.ts';

function presentGroup<Row, Item>({ items, count, isCapped }: Found<Row>, present: (row: Row) => Item) {
  return { items: items.map(present), count, count_is_capped: isCapped };
}

export function presentSearch(ctx: SignedInContext, { terms, ...result }: SearchResult): SearchResponse {
  return {
    customers: presentGroup(result.customers, presentCustomer),
    documents: presentGroup(result.documents, (row) => presentDocument(ctx, row)),
    pages: presentGroup(result.pages, ({ document, page, content, more_pages }) => ({
      document: presentDocument(ctx, document),
      page,
      snippet: snippetOf(content, terms),
      more_pages,
    })),
    corrected: result.corrected,
  };
}

export const presentHits = ({ terms, pages, isInsideOfWords }: FoundHits): DocumentHitsResponse => ({
  pages: pages.map(({ page, boxes, content }) => ({
    page,
    boxes: hitBoxesOf(boxes ?? [], terms),
    snippet: content === null ? [] : snippetOf(content, terms),
  })),
  inside_words: isInsideOfWords,
});
