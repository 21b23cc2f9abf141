import { limits } from '@customer-database/contract/limits';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import type { SearchSizes } from '../lib/address.ts';

export const searchSizes: SearchSizes = {
  page: limits.pageSize,
  part: limits.maxSearchResults,
  all: limits.maxSearchCount,
};

/** For `placeholderData`: how many match is known from another part of the same search. */
export function sameSearch<Answer>(queryKey: QueryKey) {
  const searchOf = (key: QueryKey) => hashKey(key.slice(0, -1));
  return (before: Answer | undefined, query: { queryKey: QueryKey } | undefined) =>
    query && searchOf(query.queryKey) === searchOf(queryKey) ? before : undefined;
}
