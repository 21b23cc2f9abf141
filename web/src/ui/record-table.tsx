import { Skeleton } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import classes from './record-table.module.css';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Any CSS width; the columns without one share the rest. */
  width?: string;
  /** Digits stand below each other. */
  figures?: boolean;
  /**
   * Its place where the row is a card. First line: title, date, button; second line: line, rest (as much
   * as there is room for), actions.
   */
  card: 'title' | 'date' | 'button' | 'line' | 'rest' | 'actions';
};

type RecordTableProps<Row> = {
  /** Says to a screen reader what the table holds. */
  label: string;
  columns: Column<Row>[];
  /** Undefined while loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => number;
  /** The rows are about to be replaced by others. */
  stale?: boolean;
};

const skeletonRows = [1, 2, 3, 4, 5, 6];

/** The first link of a row is where the row leads, wherever it is clicked. The keyboard has the link itself. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const isMeantForPart = (event.target as Element).closest('a, button') !== null;
  const isEndOfSelection = window.getSelection()?.isCollapsed === false;
  if (isMeantForPart || isEndOfSelection) return;
  // With the keys that were held: Ctrl opens a new tab.
  event.currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent(event.type, event.nativeEvent));
}

/**
 * A table on wide screens, a list of cards on phones. One set of elements for both, with roles said out
 * loud because browsers forget them when `display` changes.
 */
export function RecordTable<Row>({ label, columns, rows, rowKey, stale = false }: RecordTableProps<Row>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: not redundant once the style sheet makes blocks of them
    <div className={classes.frame} aria-busy={rows === undefined || stale} data-stale={stale || undefined}>
      <table className={classes.table} role="table" aria-label={label}>
        <colgroup>
          {columns.map(({ header, width }) => (
            <col key={header} style={{ width }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header }) => (
              <th key={header} role="columnheader" scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows?.map((row) => (
            <tr key={rowKey(row)} role="row" data-opens onClick={openRow}>
              {columns.map(({ header, cell, figures, card }) => (
                <td key={header} role="cell" data-card={card} data-figures={figures}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined &&
            skeletonRows.map((row) => (
              <tr key={row} role="row">
                {columns.map(({ header, card }) => (
                  <td key={header} role="cell" data-card={card}>
                    <Skeleton height={14} width="70%" miw={40} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  );
}
