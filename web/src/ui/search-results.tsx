import { limits } from '@customer-database/contract/limits';
import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { formatNumber } from '../lib/format.ts';
import { usePageParam } from '../lib/url-params.ts';
import { ErrorBanner } from './banners.tsx';
import { Empty } from './empty.tsx';
import { PageButton, Pager } from './pager.tsx';

const { pageSize, maxSearchResults: batchSize, maxSearchCount } = limits;

type Found = { count: number; count_is_capped: boolean };

function describeMatches(noun: string, { count, count_is_capped: isCapped }: Found, shown: number): string {
  const nouns = count === 1 ? noun : `${noun}s`;
  const total = `${isCapped ? 'more than ' : ''}${formatNumber(count)}`;
  if (shown === count && !isCapped) return `${total} ${nouns} found`;
  return `Showing the first ${formatNumber(shown)} of ${total} ${nouns}. Add another field to narrow the search.`;
}

type SearchResultsProps<Answer extends Found, Row, Key extends QueryKey> = {
  /** In the singular, such as 'customer'. */
  noun: string;
  emptyIcon: ReactNode;
  query: (limit: number, offset: number) => UseQueryOptions<Answer, Error, Answer, Key>;
  rowsOf: (answer: Answer) => Row[];
  /** Undefined rows are loading; stale ones are about to be replaced. */
  table: (rows: Row[] | undefined, stale: boolean) => ReactNode;
};

/**
 * Shows a batch of results page by page, because rendering hundreds of rows takes seconds. Needs a React key that
 * names the search: until another batch has loaded, the number of matches is that of the batch before.
 */
export function SearchResults<Answer extends Found, Row, Key extends QueryKey>({
  noun,
  emptyIcon,
  query,
  rowsOf,
  table,
}: SearchResultsProps<Answer, Row, Key>) {
  const [requestedPage, setPage] = usePageParam();
  const firstOnPage = Math.min((requestedPage - 1) * pageSize, maxSearchCount - pageSize);
  const offset = Math.floor(firstOnPage / batchSize) * batchSize;
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...query(batchSize, offset),
    placeholderData: keepPreviousData,
  });
  const batch = data && !isPlaceholderData ? rowsOf(data) : undefined;
  const received = batch?.length ?? (data ? batchSize : 0);
  // Another server may ignore `offset` and return everything.
  const batchStart = received > batchSize ? 0 : offset;
  // Does not shrink when the user goes back.
  const maxLoaded = useRef(0);
  maxLoaded.current = Math.max(maxLoaded.current, batchStart + received);
  const count = data?.count ?? 0;
  const maxReachable = Math.min(count, maxSearchCount);
  const shown = Math.min(count, maxLoaded.current);
  const totalPages = Math.max(1, Math.ceil(shown / pageSize));
  const page = Math.min(requestedPage, totalPages);
  const isPastEnd = data !== undefined && requestedPage > totalPages;
  const top = useRef<HTMLDivElement>(null);
  const pendingPage = useRef<number>(undefined);

  function goToPage(next: number): void {
    pendingPage.current = next;
    setPage(next, { preventScrollReset: true });
  }

  // An old link may point to a page that no longer exists.
  const correctPage = useEffectEvent((last: number) =>
    setPage(last, { replace: true, preventScrollReset: true }),
  );
  useEffect(() => {
    if (isPastEnd) correctPage(totalPages);
  }, [isPastEnd, totalPages]);

  // Scrolls past the form, which may fill a small screen.
  useLayoutEffect(() => {
    if (pendingPage.current !== page) return;
    top.current?.scrollIntoView();
    pendingPage.current = undefined;
  }, [page]);

  if (data?.count === 0) {
    return <Empty icon={emptyIcon} title={`No ${noun}s found matching your search criteria.`} />;
  }
  const first = (page - 1) * pageSize - batchStart;
  return (
    <>
      {isError && <ErrorBanner text={`Error loading ${noun}s. Please try again.`} onRetry={refetch} />}
      {(data || !isError) && (
        <Stack ref={top} gap="lg" style={{ scrollMarginTop: 'var(--mantine-spacing-lg)' }}>
          {/* Mounted while the search runs: screen readers only announce changes of an existing element. */}
          <Text size="sm" c="dimmed" role="status">
            {data ? describeMatches(noun, data, shown) : 'Searching…'}
          </Text>
          {table(
            first < 0 ? undefined : batch?.slice(first, first + pageSize),
            batch !== undefined && isFetching,
          )}
          {totalPages > 1 && (
            <Group justify="flex-end">
              {(shown < maxReachable || batchStart > 0) && (
                <PageButton disabled={shown >= maxReachable} onClick={() => goToPage(totalPages + 1)}>
                  Show more
                </PageButton>
              )}
              <Pager page={page} totalPages={totalPages} onPage={goToPage} />
            </Group>
          )}
        </Stack>
      )}
    </>
  );
}
