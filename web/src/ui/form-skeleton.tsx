import { Skeleton, Stack } from '@mantine/core';
import { Panel } from './panel.tsx';

/** Shown while the record that a form edits is loading. */
export function FormSkeleton() {
  return (
    <Panel maw={860}>
      <Stack gap="md" aria-busy>
        <Skeleton height={60} />
        <Skeleton height={60} />
        <Skeleton height={110} />
      </Stack>
    </Panel>
  );
}
