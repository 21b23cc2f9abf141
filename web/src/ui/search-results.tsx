import { Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { type SearchSizes, usePageParam } from '../lib/url-params.ts';
import { MatchCount } from './match-count.tsx';
import { PageButton, Pager } from './pager.tsx';

type SearchResultsProps<Row> = {
  /** In the singular, such as 'customer'. */
  noun: string;
  sizes: SearchSizes;
  /** Position of the first row among all matches. */
  offset: number;
  /** Undefined while searching; only `rows` is undefined while another batch of the same search loads. */
  found: { rows: Row[] | undefined; count: number; capped: boolean } | undefined;
  table: (rows: Row[] | undefined) => ReactNode;
};

/** Shows a batch of results page by page, because rendering hundreds of rows takes seconds. */
export function SearchResults<Row>({ noun, sizes, offset, found, table }: SearchResultsProps<Row>) {
  const [requestedPage, setPage] = usePageParam();
  const maxReachable = Math.min(found?.count ?? 0, sizes.max);
  const received = found?.rows?.length ?? (found ? sizes.batch : 0);
  // Another server may ignore `offset` and return everything.
  const batchStart = received > sizes.batch ? 0 : offset;
  // Does not shrink when the user goes back.
  const maxLoaded = useRef(0);
  maxLoaded.current = Math.max(maxLoaded.current, batchStart + received);
  const shown = found ? Math.min(found.count, maxLoaded.current) : 0;
  const totalPages = Math.max(1, Math.ceil(shown / sizes.page));
  const page = Math.min(requestedPage, totalPages);
  const isPastEnd = found !== undefined && requestedPage > totalPages;
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

  const first = (page - 1) * sizes.page - batchStart;
  const rows = first < 0 ? undefined : found?.rows?.slice(first, first + sizes.page);
  return (
    <Stack ref={top} gap="lg" style={{ scrollMarginTop: 'var(--mantine-spacing-lg)' }}>
      <MatchCount noun={noun} matches={found && { shown, count: found.count, capped: found.capped }} />
      {table(rows)}
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
  );
}
