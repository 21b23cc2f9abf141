import {
  type customerDocumentsResponse,
  type Document,
  type DocumentDetails,
  type DocumentSearchInput,
  type documentListResponse,
  type documentResponse,
  type documentSearchResponse,
  type downloadResponse,
  type duplicateCheckResponse,
  type UpdateDocumentInput,
  type UploadInput,
  updateDocumentResponse,
  uploadResponse,
  type viewResponse,
} from '@customer-database/contract/documents';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiUrl, call, callUntyped } from './client.ts';
import { invalidate, pageQuery, searchQuery } from './lists.ts';
import { sendWithProgress } from './send-with-progress.ts';

export type DocumentFilters = Partial<Omit<DocumentSearchInput, 'limit' | 'offset'>>;

export const documentPageQuery = (page: number) =>
  pageQuery<z.infer<typeof documentListResponse>>('documents', page);

export const documentSearchQuery = (filters: DocumentFilters, limit?: number, offset?: number) =>
  searchQuery<z.infer<typeof documentSearchResponse>>('documents', filters, limit, offset);

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
    // Another user may take the name at any moment.
    gcTime: 0,
  });

type UploadOptions = { signal: AbortSignal; onProgress?: (sent: number) => void };

/** As JSON or as a form of the same fields. Returns the saved document, if the server sends it. */
export async function uploadDocument(
  input: UploadInput | FormData,
  { signal, onProgress }: UploadOptions,
): Promise<Document | undefined> {
  const transport = onProgress && { transport: sendWithProgress(onProgress) };
  const answer = await callUntyped('POST', '/api/documents', { body: input, signal, ...transport });
  return uploadResponse.safeParse(answer).data?.document;
}

/** Returns the changed document, if the server sends it. */
export async function updateDocument(
  id: number,
  changes: UpdateDocumentInput,
): Promise<DocumentDetails | undefined> {
  const answer = await callUntyped('PUT', `/api/documents/${id}`, { body: changes });
  return updateDocumentResponse.safeParse(answer).data?.document;
}

export function deleteDocument(id: number): Promise<unknown> {
  return callUntyped('DELETE', `/api/documents/${id}`);
}

/** A link may be relative to the API host. */
const absolute = (url: string) => new URL(url, new URL(apiUrl || '/', window.location.href)).href;

/** Undefined if there is none, or another server makes none. */
export const thumbnailOf = ({ thumbnail_url }: Document): string | undefined =>
  thumbnail_url ? absolute(thumbnail_url) : undefined;

/** A signed link carries its expiry. */
export const isExpiredLink = (url: string) =>
  Number(new URL(url).searchParams.get('expires')) * 1000 < Date.now();

export async function getDownload(id: number): Promise<{ url: string; filename: string }> {
  const answer = await call<z.infer<typeof downloadResponse>>('GET', `/api/documents/${id}/download`);
  return { url: absolute(answer.download_url), filename: answer.filename };
}

export async function getViewUrl(id: number, signal?: AbortSignal): Promise<string> {
  const path = `/api/documents/${id}/view`;
  return absolute((await call<z.infer<typeof viewResponse>>('GET', path, { signal })).view_url);
}

export const invalidateDocuments = (client: QueryClient) =>
  invalidate(client, 'documents', 'search', 'dashboard', 'activity');
