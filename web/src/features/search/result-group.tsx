import type { SearchGroup } from '@customer-database/contract/search';
import { Anchor, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import type { SearchFilters } from '../../api/search.ts';
import { formatNumber } from '../../lib/format.ts';
import { Pager } from '../../ui/pager.tsx';
import classes from './search.module.css';

export const hitsPerGroup = 5;
export const hitsPerPage = 20;

type Counted = { count: number; count_is_capped: boolean };

export const countText = ({ count, count_is_capped }: Counted) =>
  `${formatNumber(count)}${count_is_capped ? '+' : ''}`;

type ResultGroupProps<Item> = {
  name: SearchGroup;
  title: string;
  filters: SearchFilters;
  found: Counted & { items: Item[] };
  page: number;
  onPage: (page: number) => void;
  children: (item: Item) => ReactNode;
};

/** The first hits of a group, or a page of them if only this group is asked for. */
export function ResultGroup<Item>(props: ResultGroupProps<Item>) {
  const { name, title, filters, found, page, onPage, children } = props;
  const { in: only } = filters;
  const titleId = useId();
  const heading = useHeadingAfterLink(only);
  if (found.items.length === 0 || (only && only !== name)) return null;
  const totalPages = only ? Math.ceil(found.count / hitsPerPage) : 1;
  return (
    <Stack component="section" aria-labelledby={titleId} gap="sm">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" id={titleId} ref={heading} tabIndex={-1} className={classes.heading ?? ''}>
          {title}{' '}
          <Text span c="dimmed" fw={500}>
            ({countText(found)})
          </Text>
        </Title>
        {!only && found.count > found.items.length && (
          <Anchor component={Link} to={`?${new URLSearchParams({ ...filters, in: name })}`} size="sm">
            Show all {countText(found)}
            <VisuallyHidden> in {title}</VisuallyHidden>
          </Anchor>
        )}
      </Group>
      <ul className={classes.list}>{found.items.map(children)}</ul>
      {totalPages > 1 && <Pager page={page} totalPages={totalPages} onPage={onPage} />}
    </Stack>
  );
}

/** 'Show all' disappears when it is followed; the heading then takes the focus. */
function useHeadingAfterLink(only: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(only);
  useEffect(() => {
    if (shown.current !== only && document.activeElement === document.body) heading.current?.focus();
    shown.current = only;
  }, [only]);
  return heading;
}
