import { TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useFocusOnMount } from '../../../lib/focus.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { Step } from './dom-hits.ts';
import { StepButtons, ToolButton } from './toolbar.tsx';
import classes from './viewer.module.css';

/** What has been found so far. */
export type Found = { current: number; total: number; isPending: boolean };

function countText({ current, total, isPending }: Found): string {
  if (total > 0) return `${formatNumber(current)} of ${formatNumber(total)}`;
  return isPending ? 'Searching…' : 'Not found';
}

type FindBarProps = { found: Found; onFind: (text: string, step: Step) => void; onClose: () => void };

export function FindBar({ found, onFind, onClose }: FindBarProps) {
  const [text, setText] = useState('');
  const box = useFocusOnMount();

  function onChange(typed: string): void {
    setText(typed);
    onFind(typed, 'first');
  }

  const step = (to: 'previous' | 'next') => (found.total === 0 ? undefined : () => onFind(text, to));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') onFind(text, event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
    // Escape would leave the full screen, too.
    event.stopPropagation();
  }

  return (
    <search className={classes.bar}>
      <TextInput
        ref={box}
        aria-label="Find in document"
        placeholder="Find in document"
        size="xs"
        value={text}
        maxLength={200}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <StepButtons
        direction="vertical"
        previous={{ label: 'Previous match', shortcut: 'Shift+Enter', onClick: step('previous') }}
        next={{ label: 'Next match', shortcut: 'Enter', onClick: step('next') }}
      />
      <span className={classes.figures} role="status">
        {text.trim() && countText(found)}
      </span>
      <ToolButton
        label="Close find"
        shortcut="Escape"
        icon={<IconX size={20} />}
        className={classes.end}
        onClick={onClose}
      />
    </search>
  );
}
