import {
  type customerDocumentsResponse,
  type Document,
  type DocumentSearchInput,
  type documentListResponse,
  type documentResponse,
  type documentSearchResponse,
  type downloadResponse,
  type duplicateCheckResponse,
  type UploadInput,
  uploadResponse,
  type viewResponse,
} from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiUrl, call, callUntyped } from './client.ts';

export type DocumentFilters = Partial<Omit<DocumentSearchInput, 'limit' | 'offset'>>;

export const documentPageQuery = (page: number) =>
  queryOptions({
    queryKey: ['documents', 'page', page],
    queryFn: ({ signal }) =>
      call<z.infer<typeof documentListResponse>>(
        'GET',
        `/api/documents?page=${page}&limit=${limits.pageSize}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const documentSearchQuery = (
  filters: DocumentFilters,
  limit: number = limits.maxSearchResults,
  offset = 0,
) =>
  queryOptions({
    queryKey: ['documents', 'search', filters, limit, offset],
    queryFn: ({ signal }) =>
      call<z.infer<typeof documentSearchResponse>>('POST', '/api/documents/search', {
        body: { ...filters, limit, ...(offset > 0 && { offset }) },
        signal,
      }),
  });

export const customerDocumentsQuery = (customerId: number) =>
  queryOptions({
    queryKey: ['documents', 'of-customer', customerId],
    queryFn: ({ signal }) =>
      call<z.infer<typeof customerDocumentsResponse>>('GET', `/api/documents/customer/${customerId}`, {
        signal,
      }),
  });

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'one', id],
    queryFn: async ({ signal }) => {
      const path = `/api/documents/${encodeURIComponent(id)}`;
      return (await call<z.infer<typeof documentResponse>>('GET', path, { signal })).document;
    },
  });

export const uniqueNameQuery = (customerId: number, filename: string) =>
  queryOptions({
    queryKey: ['documents', 'unique-name', customerId, filename],
    queryFn: ({ signal }) =>
      call<z.infer<typeof duplicateCheckResponse>>('POST', '/api/documents/check-duplicate', {
        body: { customer_id: customerId, filename },
        signal,
      }),
    // Somebody else may take the name at any moment.
    gcTime: 0,
  });

/** Returns the name it was saved under, or the requested name if the server does not return one. */
export async function uploadDocument(input: UploadInput, signal: AbortSignal): Promise<string> {
  const answer = uploadResponse.safeParse(
    await callUntyped('POST', '/api/documents', { body: input, signal }),
  );
  return answer.data?.document.filename ?? input.filename;
}

export function deleteDocument(id: number): Promise<unknown> {
  return callUntyped('DELETE', `/api/documents/${id}`);
}

/** A link may be relative to the API host. */
const absolute = (url: string) => new URL(url, new URL(apiUrl || '/', window.location.href)).href;

/** Undefined if there is none, or another server makes none. */
export const thumbnailOf = ({ thumbnail_url }: Document): string | undefined =>
  thumbnail_url ? absolute(thumbnail_url) : undefined;

/** By its own statement. */
export const isExpiredLink = (url: string) =>
  Number(new URL(url).searchParams.get('expires')) * 1000 < Date.now();

export async function getDownload(id: number): Promise<{ url: string; filename: string }> {
  const answer = await call<z.infer<typeof downloadResponse>>('GET', `/api/documents/${id}/download`);
  return { url: absolute(answer.download_url), filename: answer.filename };
}

export async function getViewUrl(id: number): Promise<string> {
  return absolute((await call<z.infer<typeof viewResponse>>('GET', `/api/documents/${id}/view`)).view_url);
}

export async function invalidateDocuments(client: QueryClient): Promise<void> {
  await Promise.all(
    ['documents', 'search', 'dashboard'].map((key) => client.invalidateQueries({ queryKey: [key] })),
  );
}
