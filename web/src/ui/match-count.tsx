import { Text } from '@mantine/core';
import { formatNumber } from '../lib/format.ts';

type MatchCountProps = {
  /** In the singular, such as 'customer'. */
  noun: string;
  /** Undefined while searching. */
  matches: { shown: number; count: number; capped: boolean } | undefined;
};

function describe(noun: string, { shown, count, capped }: NonNullable<MatchCountProps['matches']>): string {
  const nouns = count === 1 ? noun : `${noun}s`;
  const total = `${capped ? 'more than ' : ''}${formatNumber(count)}`;
  if (shown === count && !capped) return `${total} ${nouns} found`;
  return `Showing the first ${formatNumber(shown)} of ${total} ${nouns}. Add another field to narrow the search.`;
}

/**
 * Announces how many were found. Keep it mounted while the search runs: screen readers only announce
 * changes inside an element that is already there.
 */
export function MatchCount({ noun, matches }: MatchCountProps) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {matches ? describe(noun, matches) : 'Searching…'}
    </Text>
  );
}
