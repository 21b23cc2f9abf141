import type { linkedDocumentResponse } from '@customer-database/contract/documents';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, call } from './client.ts';

type Part = 'details' | 'text' | 'hits';

/** Where a part of a document is fetched: by the signed link to view it, or without one in the session. */
export function partOf(id: number, part: Part, params: Record<string, string>, link: string | undefined) {
  const query = String(new URLSearchParams(params));
  if (link === undefined) return { path: `/api/documents/${id}/${part}?${query}`, withoutSession: false };
  const { pathname, search } = new URL(link);
  return { path: `${pathname}/${part}${search}&${query}`, withoutSession: true };
}

const isRefused = (error: Error) => error instanceof ApiError && error.status > 0 && error.status < 500;

export const linkedDocumentQuery = (id: number, link: string) =>
  queryOptions({
    queryKey: ['linked-document', link],
    queryFn: async ({ signal }) => {
      const { path, ...access } = partOf(id, 'details', {}, link);
      return (await call<z.infer<typeof linkedDocumentResponse>>('GET', path, { signal, ...access }))
        .document;
    },
    retry: (failures, error) => failures < 1 && !isRefused(error),
    staleTime: Number.POSITIVE_INFINITY,
  });
