import type { documentResponse, linkedDocumentResponse } from '@customer-database/contract/documents';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './client.ts';
import { isExpiredLink } from './documents.ts';
import { documentRequest } from './linked-documents.ts';

type Details = z.infer<typeof documentResponse> | z.infer<typeof linkedDocumentResponse>;

const waitMs = 3_000;
// Five minutes. Without an end, a tab that is left open would keep its session.
const maxQuestions = 100;

/** Asks until the preview is there, or will not come. */
export const documentPreviewQuery = (id: number, link?: string) =>
  queryOptions({
    queryKey: ['document-preview', id, link],
    queryFn: async ({ signal }) => {
      const session = { path: `/api/documents/${id}`, withoutSession: false };
      const { path, ...access } = link === undefined ? session : documentRequest(id, 'details', {}, link);
      return (await call<Details>('GET', path, { signal, ...access })).document.preview;
    },
    refetchInterval: ({ state }) => {
      const isOver = state.error !== null || state.dataUpdateCount >= maxQuestions;
      const isDead = link !== undefined && isExpiredLink(link);
      return state.data === 'waiting' && !isOver && !isDead && waitMs;
    },
    gcTime: 0,
    retry: false,
  });
