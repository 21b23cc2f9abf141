import { Stack } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { usePageInAddress } from '../lib/address.ts';
import { MatchCount } from './match-count.tsx';
import { Pager } from './pager.tsx';

type SearchResultsProps<Row> = {
  /** In the singular, such as 'customer'. */
  noun: string;
  /** Undefined while searching. */
  found: { rows: Row[]; count: number; capped: boolean } | undefined;
  pageSize: number;
  table: (rows: Row[] | undefined) => ReactNode;
};

/** All that was found came in one answer; it is drawn in pages, because drawing hundreds of rows takes seconds. */
export function SearchResults<Row>({ noun, found, pageSize, table }: SearchResultsProps<Row>) {
  const [askedPage, setPage] = usePageInAddress();
  const totalPages = Math.max(1, Math.ceil((found?.rows.length ?? 0) / pageSize));
  // An old link may ask for a page that no longer exists.
  const page = Math.min(askedPage, totalPages);
  const top = useRef<HTMLDivElement>(null);
  const isTurning = useRef(false);

  function turnTo(next: number): void {
    isTurning.current = true;
    setPage(next, { preventScrollReset: true });
  }

  // The new page begins below the form, which alone may fill a small screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per turned page
  useLayoutEffect(() => {
    if (isTurning.current) top.current?.scrollIntoView();
    isTurning.current = false;
  }, [page]);

  const matches = found && { shown: found.rows.length, count: found.count, capped: found.capped };
  return (
    <Stack ref={top} gap="lg" style={{ scrollMarginTop: 'var(--mantine-spacing-lg)' }}>
      <MatchCount noun={noun} matches={matches} />
      {table(found?.rows.slice((page - 1) * pageSize, page * pageSize))}
      {totalPages > 1 && <Pager page={page} totalPages={totalPages} onPage={turnTo} />}
    </Stack>
  );
}
