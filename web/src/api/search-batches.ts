import { limits } from '@customer-database/contract/limits';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import type { SearchSizes } from '../lib/url-params.ts';

export const searchSizes: SearchSizes = {
  page: limits.pageSize,
  batch: limits.maxSearchResults,
  max: limits.maxSearchCount,
};

/** For `placeholderData`: another batch of the same search already knows the number of matches. */
export function keepDataOfSameSearch<Answer>(queryKey: QueryKey) {
  const searchOf = (key: QueryKey) => hashKey(key.slice(0, -1));
  return (previous: Answer | undefined, query: { queryKey: QueryKey } | undefined) =>
    query && searchOf(query.queryKey) === searchOf(queryKey) ? previous : undefined;
}
