import { idParam } from '@customer-database/contract/fields';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isNotFound } from './client.ts';

/** The record whose id is in the URL. An invalid id is a missing record, not an error. */
export function useRecordInUrl<Data, Key extends QueryKey>(
  queryOf: (id: string) => UseQueryOptions<Data, Error, Data, Key>,
) {
  const { id = '' } = useParams();
  const isValidId = idParam.safeParse(id).success;
  const { data, error, isLoading, isFetchedAfterMount, refetch } = useQuery({
    ...queryOf(id),
    enabled: isValidId,
  });
  const isMissing = !isValidId || isNotFound(error);
  return {
    id: Number(id),
    record: isMissing ? undefined : data,
    isMissing,
    isLoading,
    error: isMissing ? null : error,
    /** False while `record` is only cached from an earlier screen. */
    isFresh: isFetchedAfterMount,
    refetch,
  };
}
