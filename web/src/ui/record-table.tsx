import { ActionIcon, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { followFirstLink, isOnRow } from './follow-first-link.ts';
import classes from './record-table.module.css';

export type Sort = { by: string; order: 'asc' | 'desc' };

export type Column<Row> = {
  header: string;
  /** What a click on the header sorts by. */
  sortBy?: string;
  cell: (row: Row) => ReactNode;
  /** Any CSS width; columns without one share the rest. */
  width?: string;
  /** Aligns digits (tabular figures). */
  figures?: boolean;
  /**
   * Its position on a card. First line: title, date, button; second line: line, rest (as much as fits),
   * actions; then a line for each below. 'none' is not on the card.
   */
  card: 'title' | 'date' | 'button' | 'line' | 'rest' | 'actions' | 'below' | 'none';
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
  sorting?: { sort: Sort; onSort: (sort: Sort) => void };
  /** Shown below a row that opens, where a row is not a link to a record. */
  details?: (row: Row) => ReactNode;
};

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

const skeletonRows = [1, 2, 3, 4, 5, 6];

// biome-ignore-start lint/a11y/noRedundantRoles: not redundant once the style sheet changes `display`
/**
 * A table on wide screens, a list of cards on phones. Both use the same elements, with explicit roles
 * because browsers drop the implicit ones when `display` changes.
 */
export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { label, columns, rows, rowKey, stale = false, sorting, details } = props;
  return (
    <div className={classes.frame} aria-busy={rows === undefined || stale} data-stale={stale || undefined}>
      <table className={classes.table} role="table" aria-label={label}>
        <colgroup>
          {columns.map(({ header, width }) => (
            <col key={header} style={{ width }} />
          ))}
          {details && <col style={{ width: '3.25rem' }} />}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header, sortBy }) => (
              <th
                key={header}
                role="columnheader"
                scope="col"
                aria-sort={sortBy && sorting?.sort.by === sortBy ? ariaSort[sorting.sort.order] : undefined}
              >
                {sortBy && sorting ? <SortButton header={header} by={sortBy} {...sorting} /> : header}
              </th>
            ))}
            {details && (
              <th role="columnheader" scope="col">
                <VisuallyHidden>Details</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows?.map((row) =>
            details ? (
              <OpenableRow key={rowKey(row)} columns={columns} row={row} details={details} />
            ) : (
              <tr key={rowKey(row)} role="row" data-opens onClick={followFirstLink}>
                <Cells columns={columns} row={row} />
              </tr>
            ),
          )}
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
  );
}

type SortButtonProps = { header: string; by: string } & NonNullable<RecordTableProps<unknown>['sorting']>;

function SortButton({ header, by, sort, onSort }: SortButtonProps) {
  const isSorted = sort.by === by;
  const Icon = sort.order === 'asc' ? IconArrowUp : IconArrowDown;
  const next = isSorted && sort.order === 'asc' ? 'desc' : 'asc';
  return (
    <UnstyledButton className={classes.sort ?? ''} onClick={() => onSort({ by, order: next })}>
      {header}
      {isSorted && <Icon size={14} aria-hidden />}
    </UnstyledButton>
  );
}

function Cells<Row>({ columns, row }: { columns: Column<Row>[]; row: Row }) {
  return columns.map(({ header, cell, figures, card }) => (
    <td key={header} role="cell" data-card={card} data-figures={figures}>
      {cell(row)}
    </td>
  ));
}

type OpenableRowProps<Row> = { columns: Column<Row>[]; row: Row; details: (row: Row) => ReactNode };

/** A click anywhere on the row opens it, as its button does. */
function OpenableRow<Row>({ columns, row, details }: OpenableRowProps<Row>) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <>
      <tr role="row" data-opens="details" onClick={(event) => isOnRow(event) && toggle()}>
        <Cells columns={columns} row={row} />
        <td role="cell" data-card="button">
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Details"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={toggle}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </td>
      </tr>
      {isOpen && (
        <tr role="row" id={id} data-details>
          <td role="cell" colSpan={columns.length + 1} data-card="details">
            {details(row)}
          </td>
        </tr>
      )}
    </>
  );
}
// biome-ignore-end lint/a11y/noRedundantRoles: as above
