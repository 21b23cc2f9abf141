import type { linkedDocumentResponse } from '@customer-database/contract/documents';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, call } from './client.ts';

type Endpoint = 'details' | 'text' | 'hits';

/** The request for facts of a document, authorized by the signed link to view it, or by the session. */
export function documentRequest(
  id: number,
  endpoint: Endpoint,
  params: Record<string, string>,
  link: string | undefined,
) {
  const query = String(new URLSearchParams(params));
  if (link === undefined) return { path: `/api/documents/${id}/${endpoint}?${query}`, withoutSession: false };
  const { pathname, search } = new URL(link);
  return { path: `${pathname}/${endpoint}${search}&${query}`, withoutSession: true };
}

const isRefused = (error: Error) => error instanceof ApiError && error.status > 0 && error.status < 500;

export const linkedDocumentQuery = (id: number, link: string) =>
  queryOptions({
    queryKey: ['linked-document', link],
    queryFn: async ({ signal }) => {
      const { path, ...access } = documentRequest(id, 'details', {}, link);
      return (await call<z.infer<typeof linkedDocumentResponse>>('GET', path, { signal, ...access }))
        .document;
    },
    retry: (failures, error) => failures < 1 && !isRefused(error),
    staleTime: Number.POSITIVE_INFINITY,
  });
