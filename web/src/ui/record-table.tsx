import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { followFirstLink } from './follow-first-link.ts';
import classes from './record-table.module.css';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Any CSS width; columns without one share the rest. */
  width?: string;
  /** Aligns digits (tabular figures). */
  figures?: boolean;
  /**
   * Its position on a card. First line: title, date, button; second line: line, rest (as much as fits),
   * actions.
   */
  card: 'title' | 'date' | 'button' | 'line' | 'rest' | 'actions';
};

type RecordTableProps<Row> = {
  /** Describes the table to screen readers. */
  label: string;
  columns: Column<Row>[];
  /** Undefined while loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => number;
  /** The rows are about to be replaced. */
  stale?: boolean;
};

const skeletonRows = [1, 2, 3, 4, 5, 6];

/**
 * A table on wide screens, a list of cards on phones. Both use the same elements, with explicit roles
 * because browsers drop the implicit ones when `display` changes.
 */
export function RecordTable<Row>({ label, columns, rows, rowKey, stale = false }: RecordTableProps<Row>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: not redundant once the style sheet changes `display`
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
            <tr key={rowKey(row)} role="row" data-opens onClick={followFirstLink}>
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
