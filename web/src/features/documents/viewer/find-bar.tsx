import { TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useFocusOnMount } from '../../../lib/focus.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { Pdf, PdfState } from './pdf-engine.ts';
import { ToolButton } from './toolbar.tsx';
import classes from './viewer.module.css';

function countText({ current, total, isPending }: PdfState['found']): string {
  if (total > 0) return `${formatNumber(current)} of ${formatNumber(total)}`;
  return isPending ? 'Searching…' : 'Not found';
}

type FindBarProps = { pdf: Pdf; found: PdfState['found']; onClose: () => void };

export function FindBar({ pdf, found, onClose }: FindBarProps) {
  const [text, setText] = useState('');
  const box = useFocusOnMount();

  function onChange(typed: string): void {
    setText(typed);
    pdf.find(typed, 'first');
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') pdf.find(text, event.shiftKey ? 'previous' : 'next');
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
      <span className={classes.group}>
        <ToolButton
          label="Previous match"
          shortcut="Shift+Enter"
          icon={<IconChevronUp size={20} />}
          disabled={found.total === 0}
          onClick={() => pdf.find(text, 'previous')}
        />
        <ToolButton
          label="Next match"
          shortcut="Enter"
          icon={<IconChevronDown size={20} />}
          disabled={found.total === 0}
          onClick={() => pdf.find(text, 'next')}
        />
      </span>
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
