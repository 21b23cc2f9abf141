import { limits } from '@customer-database/contract/limits';
import { keepPreviousData, type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

type List = 'customers' | 'documents';

/** A page of all records. */
export const pageQuery = <Answer>(list: List, page: number) =>
  queryOptions({
    queryKey: [list, 'page', page],
    queryFn: ({ signal }) =>
      call<Answer>('GET', `/api/${list}?page=${page}&limit=${limits.pageSize}`, { signal }),
    placeholderData: keepPreviousData,
  });

/** A batch of the records that match the filters. */
export const searchQuery = <Answer>(
  list: List,
  filters: object,
  limit: number = limits.maxSearchResults,
  offset = 0,
) =>
  queryOptions({
    queryKey: [list, 'search', filters, limit, offset],
    queryFn: ({ signal }) =>
      call<Answer>('POST', `/api/${list}/search`, {
        body: {
          ...filters,
          // Defaults are not sent: another server may not know these fields.
          ...(limit !== limits.maxSearchResults && { limit }),
          ...(offset > 0 && { offset }),
        },
        signal,
      }),
  });

/** Marks every query as outdated whose key begins with one of these. */
export async function invalidate(client: QueryClient, ...keys: string[]): Promise<void> {
  const isAffected = ({ queryKey }: Query) => keys.includes(String(queryKey[0]));
  // A first fetch that is under way may be older than the change, and `invalidateQueries` does not repeat it.
  await client.cancelQueries({ predicate: (query) => isAffected(query) && query.state.data === undefined });
  await client.invalidateQueries({ predicate: isAffected });
}
