import { SimpleGrid, Skeleton } from '@mantine/core';

/** Takes the place of a form until its record is loaded. */
export function FormSkeleton({ heights, columns = 1 }: { heights: number[]; columns?: number }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: columns }} spacing="md" aria-busy>
      {Object.entries(heights).map(([position, height]) => (
        <Skeleton key={position} height={height} />
      ))}
    </SimpleGrid>
  );
}
