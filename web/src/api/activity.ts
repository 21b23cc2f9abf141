import type { ExportFormat } from '@customer-database/contract/activity';
import type { ActivityResponse } from '@customer-database/contract/activity-response';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { parse } from 'content-disposition';
import { call, send } from './client.ts';

export const activityFields = [
  'person',
  'action',
  'outcome',
  'customer_id',
  'document_id',
  'from',
  'to',
] as const;
export type ActivityField = (typeof activityFields)[number];
export type ActivityFilters = Partial<Record<ActivityField, string>>;

export const activityPageQuery = (filters: ActivityFilters, before: string | undefined) =>
  queryOptions({
    queryKey: ['activity', 'page', filters, before],
    queryFn: ({ signal }) => {
      const params = new URLSearchParams({ ...filters, ...(before !== undefined && { before }) });
      return call<ActivityResponse>('GET', `/api/activity?${params}`, { signal });
    },
    placeholderData: keepPreviousData,
  });

const historyPageSize = 10;

/** What happened to one record, a few rows at a time. */
export const historyQuery = (filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'history', filters],
    queryFn: ({ pageParam: before, signal }) => {
      const page = { limit: String(historyPageSize), ...(before !== null && { before: String(before) }) };
      const params = new URLSearchParams({ ...filters, ...page });
      return call<ActivityResponse>('GET', `/api/activity?${params}`, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
  });

export async function exportActivity(
  filters: ActivityFilters,
  format: ExportFormat,
): Promise<{ content: Blob; name: string }> {
  const params = new URLSearchParams({ ...filters, format });
  const response = await send('GET', `/api/activity/export?${params}`, { headers: { accept: '*/*' } });
  const { filename } = parse(response.headers.get('content-disposition') ?? '').parameters;
  return { content: await response.blob(), name: filename || `activity.${format}` };
}
