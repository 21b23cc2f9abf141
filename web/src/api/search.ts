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

/** The pages of one document that have all of these words. Another server may lack this endpoint. */
export const documentHitsQuery = (id: number, q: string, link?: string) =>
  queryOptions({
    queryKey: ['search', 'in-document', id, q, link],
    queryFn: async ({ signal }) => {
      const { path, ...access } = documentRequest(id, 'hits', { q }, link);
      return (await call<DocumentHitsResponse>('GET', path, { signal, ...access })).pages;
    },
    enabled: q !== '',
    retry: false,
  });
