import { Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { type SearchSizes, usePageInAddress } from '../lib/address.ts';
import { MatchCount } from './match-count.tsx';
import { PageButton, Pager } from './pager.tsx';

type SearchResultsProps<Row> = {
  /** In the singular, such as 'customer'. */
  noun: string;
  sizes: SearchSizes;
  /** Where the rows begin among all that match. */
  offset: number;
  /** Undefined while searching; `rows` alone while another part of the same search is on its way. */
  found: { rows: Row[] | undefined; count: number; capped: boolean } | undefined;
  table: (rows: Row[] | undefined) => ReactNode;
};

/** A part of what was found came in one answer; it is drawn in pages, because drawing hundreds of rows takes seconds. */
export function SearchResults<Row>({ noun, sizes, offset, found, table }: SearchResultsProps<Row>) {
  const [askedPage, setPage] = usePageInAddress();
  const readable = Math.min(found?.count ?? 0, sizes.all);
  const given = found?.rows?.length ?? (found ? sizes.part : 0);
  // Another server may know nothing of parts, and give all at once.
  const begins = given > sizes.part ? 0 : offset;
  // As far as somebody has read on, also when they turn back.
  const furthest = useRef(0);
  furthest.current = Math.max(furthest.current, begins + given);
  const shown = found ? Math.min(found.count, furthest.current) : 0;
  const totalPages = Math.max(1, Math.ceil(shown / sizes.page));
  const page = Math.min(askedPage, totalPages);
  const isBeyond = found !== undefined && askedPage > totalPages;
  const top = useRef<HTMLDivElement>(null);
  const turningTo = useRef<number>(undefined);

  function turnTo(next: number): void {
    turningTo.current = next;
    setPage(next, { preventScrollReset: true });
  }

  // An old link may ask for a page that no longer exists.
  const correctPage = useEffectEvent((last: number) =>
    setPage(last, { replace: true, preventScrollReset: true }),
  );
  useEffect(() => {
    if (isBeyond) correctPage(totalPages);
  }, [isBeyond, totalPages]);

  // The new page begins below the form, which alone may fill a small screen.
  useLayoutEffect(() => {
    if (turningTo.current !== page) return;
    top.current?.scrollIntoView();
    turningTo.current = undefined;
  }, [page]);

  const first = (page - 1) * sizes.page - begins;
  const rows = first < 0 ? undefined : found?.rows?.slice(first, first + sizes.page);
  return (
    <Stack ref={top} gap="lg" style={{ scrollMarginTop: 'var(--mantine-spacing-lg)' }}>
      <MatchCount noun={noun} matches={found && { shown, count: found.count, capped: found.capped }} />
      {table(rows)}
      {totalPages > 1 && (
        <Group justify="flex-end">
          {(shown < readable || begins > 0) && (
            <PageButton off={shown >= readable} onClick={() => turnTo(totalPages + 1)}>
              Show more
            </PageButton>
          )}
          <Pager page={page} totalPages={totalPages} onPage={turnTo} />
        </Group>
      )}
    </Stack>
  );
}
