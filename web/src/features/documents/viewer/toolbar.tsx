import { ActionIcon } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './viewer.module.css';

type ToolButtonProps = {
  label: string;
  /** The key that does the same. */
  shortcut?: string;
  /** More than the label, such as the name of the document it leads to. */
  title?: string;
  icon: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
  className?: string | undefined;
  onClick: () => void;
};

export function ToolButton({
  label,
  shortcut,
  title = label,
  icon,
  pressed,
  className = '',
  ...button
}: ToolButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size={34}
      aria-label={label}
      title={shortcut ? `${title} (${shortcut})` : title}
      {...(shortcut && { 'aria-keyshortcuts': shortcut.replace('Ctrl', 'Control') })}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      className={`${classes.button} ${className}`}
      {...button}
    >
      {icon}
    </ActionIcon>
  );
}

export type Keys = Record<string, () => void>;

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Single keys, which must not fire while somebody types. */
export function actOnKey(keys: Keys, event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const act = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (!act || ctrlKey || metaKey || altKey || isField(target)) return;
  event.preventDefault();
  act();
}
