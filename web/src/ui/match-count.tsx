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
 * How many were found, said aloud. Keep it on the screen while the search runs: screen readers only
 * announce what changes inside an element they know.
 */
export function MatchCount({ noun, matches }: MatchCountProps) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {matches ? describe(noun, matches) : 'Searching…'}
    </Text>
  );
}
