import { limits } from '@customer-database/contract/limits';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePageParam } from '../lib/url-params.ts';
import { ErrorBanner } from './banners.tsx';
import { Empty } from './empty.tsx';
import { LinkButton } from './link-button.tsx';
import { Pager } from './pager.tsx';

type RecordPagesProps<Answer, Row, Key extends QueryKey> = {
  /** In the plural, such as 'customers'. */
  nouns: string;
  emptyIcon: ReactNode;
  query: (page: number) => UseQueryOptions<Answer, Error, Answer, Key>;
  rowsOf: (answer: Answer) => Row[];
  /** Undefined rows are loading; stale ones are about to be replaced. */
  table: (rows: Row[] | undefined, stale: boolean) => ReactNode;
};

/** A list, one page at a time. */
export function RecordPages<Answer extends { total: number; totalPages: number }, Row, Key extends QueryKey>({
  nouns,
  emptyIcon,
  query,
  rowsOf,
  table,
}: RecordPagesProps<Answer, Row, Key>) {
  const [page, setPage] = usePageParam();
  const { data, isError, isPlaceholderData, refetch } = useQuery(query(page));
  const rows = data && rowsOf(data);
  const isEmpty = rows?.length === 0 && !isPlaceholderData;
  return (
    <>
      {isError && <ErrorBanner text={`Error loading ${nouns}. Please try again.`} onRetry={refetch} />}
      {isEmpty && (
        <Empty
          icon={emptyIcon}
          title={`No ${nouns} found`}
          // An old link may point to a page that no longer exists.
          action={page > 1 && <LinkButton to="?">Go to the first page</LinkButton>}
        />
      )}
      {!isEmpty && (data || !isError) && table(rows, isPlaceholderData)}
      {!isEmpty && data && (
        <Pager
          page={page}
          totalPages={data.totalPages}
          onPage={setPage}
          records={{ pageSize: limits.pageSize, total: data.total, noun: nouns }}
        />
      )}
    </>
  );
}
