import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatNumber } from '../lib/format.ts';

type PagerProps = {
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
  /** Adds 'Showing A to B of N'. */
  records?: { pageSize: number; total: number; noun: string };
};

export function Pager({ page, totalPages, onPage, records }: PagerProps) {
  const summary = records && describeRange(page, records);
  return (
    <Group component="nav" aria-label="Pages" justify={summary ? 'space-between' : 'flex-end'}>
      {summary && (
        <Text size="sm" c="dimmed" role="status">
          {summary}
        </Text>
      )}
      <Group gap="sm">
        <PageButton
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
          leftSection={<IconChevronLeft size={16} />}
        >
          Previous
        </PageButton>
        <Text size="sm" role={summary ? undefined : 'status'}>
          {`Page ${formatNumber(page)} of ${formatNumber(totalPages)}`}
        </Text>
        <PageButton
          disabled={page >= totalPages}
          onClick={() => onPage(page + 1)}
          rightSection={<IconChevronRight size={16} />}
        >
          Next
        </PageButton>
      </Group>
    </Group>
  );
}

function describeRange(page: number, { pageSize, total, noun }: NonNullable<PagerProps['records']>): string {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return `Showing ${formatNumber(first)} to ${formatNumber(last)} of ${formatNumber(total)} ${noun}`;
}

/** Stays focusable when disabled: otherwise keyboard users would lose the focus on the last page. */
export function PageButton({ disabled, onClick, ...button }: ButtonProps & { onClick: () => void }) {
  return (
    <Button
      variant="default"
      data-disabled={disabled || undefined}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      {...button}
    />
  );
}
