import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TimeText } from '../../ui/time-text.tsx';
import classes from './access-list.module.css';

type AccessListProps = { label?: string; isLoading: boolean; children: ReactNode };

/** The sessions, passkeys or API tokens of a user. */
export function AccessList({ label, isLoading, children }: AccessListProps) {
  return (
    <ul aria-label={label} aria-busy={isLoading}>
      {children}
    </ul>
  );
}

type AccessItemProps = { title: ReactNode; facts: ReactNode; children: ReactNode };

/** `children` are its buttons. */
export function AccessItem({ title, facts, children }: AccessItemProps) {
  return (
    <li className={classes.item}>
      <div>
        <Group gap="xs">{title}</Group>
        <Text size="sm" c="dimmed">
          {facts}
        </Text>
      </div>
      <Group gap="xs" flex="none">
        {children}
      </Group>
    </li>
  );
}

type ItemButtonProps = {
  children: string;
  /** Names the item to screen readers. */
  label: string;
  onClick: () => void;
};

export function ItemButton({ children, label, onClick }: ItemButtonProps) {
  return (
    <Button variant="default" size="compact-sm" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  );
}

export function LastUsed({ at }: { at: string | null }) {
  if (!at) return ' · never used';
  return (
    <>
      {' · last used '}
      <TimeText value={at} withTime />
    </>
  );
}
