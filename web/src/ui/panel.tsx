import { Group, Paper, type PaperProps, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

type PanelProps = PaperProps & { role?: string; title?: string; actions?: ReactNode; children: ReactNode };

export function Panel({ title, actions, children, ...paper }: PanelProps) {
  const titleId = useId();
  return (
    <Paper
      component="section"
      className={classes.panel ?? ''}
      p="lg"
      {...(title ? { 'aria-labelledby': titleId } : {})}
      {...paper}
    >
      {title && (
        <Group justify="space-between" mb="md">
          <Title order={2} size="h4" id={titleId}>
            {title}
          </Title>
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  );
}
