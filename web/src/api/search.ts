import type { DocumentHitsResponse, SearchResponse } from '@customer-database/contract/search';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { documentRequest } from './linked-documents.ts';

export const searchFields = ['q', 'in', 'type', 'customer_id', 'from', 'to'] as const;
export type SearchField = (typeof searchFields)[number];
export type SearchFilters = Partial<Record<SearchField, string>>;

export const searchResultsQuery = (filters: SearchFilters, limit: number, page = 1) =>
  queryOptions({
    queryKey: ['search', filters, limit, page],
    queryFn: ({ signal }) => {
      const params = new URLSearchParams({ ...filters, limit: String(limit), page: String(page) });
      return call<SearchResponse>('GET', `/api/search?${params}`, { signal });
    },
  });

/** The pages of one document that have the most of these words. Another server may lack this endpoint. */
const hitsQuery = (id: number, params: { q: string; snippets?: string }, link?: string) =>
  queryOptions({
    queryKey: ['search', 'in-document', id, params, link],
    queryFn: ({ signal }) => {
      const { path, ...access } = documentRequest(id, 'hits', params, link);
      return call<DocumentHitsResponse>('GET', path, { signal, ...access });
    },
    enabled: params.q !== '',
    retry: false,
  });

export const documentHitsQuery = (id: number, q: string, link?: string) => hitsQuery(id, { q }, link);

/** With passages of the first pages. */
export const hitPassagesQuery = (id: number, q: string, passages: number) =>
  hitsQuery(id, { q, snippets: String(passages) });
