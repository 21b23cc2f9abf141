import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';

type PagerProps = {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
  noun: string;
  onPage: (page: number) => void;
};

export function Pager({ page, pageSize, total, totalPages, noun, onPage }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const [a, b, n, x, y] = [first, last, total, page, totalPages].map((value) => value.toLocaleString());
  return (
    <Group component="nav" aria-label="Pages" justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {`Showing ${a} to ${b} of ${n} ${noun}`}
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={16} />}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          Previous
        </Button>
        <Text size="sm">{`Page ${x} of ${y}`}</Text>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={16} />}
          disabled={page >= totalPages}
          onClick={() => onPage(page + 1)}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}
