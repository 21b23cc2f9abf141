import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import classes from './viewer.module.css';

/** Undefined while the document is loading. */
type PageFieldProps = { page: number | undefined; pages: number | undefined; onPage: (page: number) => void };

/** Shows the page in view until the user types another one. */
export function PageField({ page, pages, onPage }: PageFieldProps) {
  const [typed, setTyped] = useState<string>();

  function go(): void {
    if (typed !== undefined && /^\d+$/.test(typed)) onPage(Number(typed));
    setTyped(undefined);
  }

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === 'Enter') go();
    if (key === 'Escape') setTyped(undefined);
  }

  return (
    <span className={classes.group}>
      <TextInput
        aria-label="Page"
        size="xs"
        inputMode="numeric"
        autoComplete="off"
        className={classes.pageField ?? ''}
        value={typed ?? String(page ?? '')}
        disabled={page === undefined}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={go}
      />
      <span className={classes.figures}>of {pages === undefined ? '–' : formatNumber(pages)}</span>
    </span>
  );
}
