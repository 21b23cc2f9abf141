import { ActionIcon } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';
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

/** Single keys, which must not fire while somebody types or answers a dialog. */
export function useKeys(keys: Keys): void {
  useWindowEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
    const act = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!act || ctrlKey || metaKey || altKey || defaultPrevented || isField(target)) return;
    if (document.querySelector('[aria-modal=true]')) return;
    event.preventDefault();
    act();
  });
}
