import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatNumber } from '../lib/format.ts';

type PagerProps = {
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
  /** What the pages are made of, for a list that says which part of it is shown. */
  records?: { pageSize: number; total: number; noun: string };
};

export function Pager({ page, totalPages, onPage, records }: PagerProps) {
  const said = records && showing(page, records);
  return (
    <Group component="nav" aria-label="Pages" justify={said ? 'space-between' : 'flex-end'}>
      {said && (
        <Text size="sm" c="dimmed" role="status">
          {said}
        </Text>
      )}
      <Group gap="sm">
        <PageButton
          off={page <= 1}
          onClick={() => onPage(page - 1)}
          leftSection={<IconChevronLeft size={16} />}
        >
          Previous
        </PageButton>
        <Text size="sm" role={said ? undefined : 'status'}>
          {`Page ${formatNumber(page)} of ${formatNumber(totalPages)}`}
        </Text>
        <PageButton
          off={page >= totalPages}
          onClick={() => onPage(page + 1)}
          rightSection={<IconChevronRight size={16} />}
        >
          Next
        </PageButton>
      </Group>
    </Group>
  );
}

function showing(page: number, { pageSize, total, noun }: NonNullable<PagerProps['records']>): string {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return `Showing ${formatNumber(first)} to ${formatNumber(last)} of ${formatNumber(total)} ${noun}`;
}

/** Off, it says so but stays where it is: on the last page a disabled button would lose the keyboard's place. */
export function PageButton({ off, onClick, ...button }: ButtonProps & { off: boolean; onClick: () => void }) {
  return (
    <Button
      variant="default"
      data-disabled={off || undefined}
      aria-disabled={off}
      onClick={off ? undefined : onClick}
      {...button}
    />
  );
}
