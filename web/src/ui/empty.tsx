import { EmptyState } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from './panel.tsx';

type EmptyProps = { icon?: ReactNode; title: string; text?: string; action?: ReactNode };

/** Says that there is nothing to show, and why. */
export function Empty({ icon, title, text, action }: EmptyProps) {
  return (
    <Panel py="xl" role="status">
      <EmptyState icon={icon} title={title} description={text}>
        {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
      </EmptyState>
    </Panel>
  );
}
