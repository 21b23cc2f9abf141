import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './record-table.module.css';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Any CSS width; the columns without one share the rest. */
  width?: string;
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

/**
 * A table on wide screens, a list of cards on narrow ones. One set of elements for both, with roles
 * said out loud because browsers forget them when `display` changes.
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
            <tr key={rowKey(row)} role="row">
              {columns.map(({ header, cell }) => (
                <td key={header} role="cell" data-label={header}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined &&
            skeletonRows.map((row) => (
              <tr key={row} role="row">
                {columns.map(({ header }) => (
                  <td key={header} role="cell" data-label={header}>
                    <Skeleton height={14} width="70%" my={4} />
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
