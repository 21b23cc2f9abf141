import { ActionIcon } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconChevronUp,
  IconMinus,
  IconPlus,
  IconPrinter,
  IconSearch,
} from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './viewer.module.css';

type ToolButtonProps = {
  label: string;
  /** The key with the same effect. */
  shortcut?: string;
  /** Says more than the label, such as the name of the next document. */
  title?: string;
  icon: ReactNode;
  pressed?: boolean;
  className?: string | undefined;
  /** Without it, the button is disabled. */
  onClick: (() => void) | undefined;
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
      disabled={!button.onClick}
      {...button}
    >
      {icon}
    </ActionIcon>
  );
}

type Step = { label: string; title?: string; shortcut?: string; onClick: (() => void) | undefined };

const directions = {
  vertical: [IconChevronUp, IconChevronDown],
  horizontal: [IconChevronLeft, IconChevronRight],
} as const;

type StepButtonsProps = { direction: keyof typeof directions; previous: Step; next: Step };

/** Previous and next; a step without `onClick` is disabled. */
export function StepButtons({ direction, previous, next }: StepButtonsProps) {
  const [Previous, Next] = directions[direction];
  return (
    <span className={classes.group}>
      <ToolButton icon={<Previous size={20} />} {...previous} />
      <ToolButton icon={<Next size={20} />} {...next} />
    </span>
  );
}

type ZoomToolsProps = { scale: number | undefined; onZoom: ((steps: 1 | -1) => void) | undefined };

export function ZoomTools({ scale, onZoom }: ZoomToolsProps) {
  const zoom = (steps: 1 | -1) => onZoom && (() => onZoom(steps));
  return (
    <span className={classes.group}>
      <ToolButton label="Zoom out" shortcut="-" icon={<IconMinus size={20} />} onClick={zoom(-1)} />
      <span className={`${classes.figures} ${classes.wideOnly}`}>
        {scale === undefined ? '–' : `${Math.round(scale * 100)} %`}
      </span>
      <ToolButton label="Zoom in" shortcut="+" icon={<IconPlus size={20} />} onClick={zoom(1)} />
    </span>
  );
}

type SheetToolsProps = { onFind: (() => void) | undefined; onPrint: (() => void) | undefined };

export function FindAndPrint({ onFind, onPrint }: SheetToolsProps) {
  return (
    <span className={classes.group}>
      <ToolButton label="Find" shortcut="Ctrl+F" icon={<IconSearch size={20} />} onClick={onFind} />
      <ToolButton label="Print" shortcut="Ctrl+P" icon={<IconPrinter size={20} />} onClick={onPrint} />
    </span>
  );
}

export type Keys = Record<string, () => void>;

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Single keys, which must not fire while the user types. */
export function actOnKey(keys: Keys, event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const act = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (!act || ctrlKey || metaKey || altKey || isField(target)) return;
  event.preventDefault();
  act();
}
