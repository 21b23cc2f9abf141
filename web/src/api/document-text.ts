import type { DocumentText } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { documentRequest } from './linked-documents.ts';

const batchSize = limits.maxPageSize;
const waitMs = 3_000;

/** The text in batches of pages, beginning with the one that has this page. The server logs each as a view. */
export function documentTextQuery(id: number, page: number, link?: string) {
  const first = Math.ceil(page / batchSize);
  return infiniteQueryOptions({
    queryKey: ['document-text', id, first, link],
    queryFn: async ({ signal, pageParam: batch }) => {
      // StrictMode mounts twice; the first mount ends before this line does.
      await Promise.resolve();
      signal.throwIfAborted();
      const params = { page: String(batch), limit: String(batchSize) };
      const { path, ...access } = documentRequest(id, 'text', params, link);
      return call<DocumentText>('GET', path, { signal, ...access });
    },
    initialPageParam: first,
    getNextPageParam: ({ totalPages }, _all, batch) => (batch < totalPages ? batch + 1 : undefined),
    getPreviousPageParam: (_first, _all, batch) => (batch > 1 ? batch - 1 : undefined),
    refetchInterval: ({ state }) => state.data?.pages[0]?.state === 'waiting' && waitMs,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
