import type { Activity } from '@customer-database/contract/activity-response';
import { Text } from '@mantine/core';
import type { ActivityFilters } from '../../api/activity.ts';
import { paths } from '../../lib/paths.ts';
import { type Column, RecordTable } from '../../ui/record-table.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserLink, UserText } from '../../ui/user-text.tsx';
import { RowDetails } from './row-details.tsx';
import { Subject } from './subject.tsx';
import { actionText } from './texts.ts';

const columnsOf = (filters: ActivityFilters): Column<Activity>[] => [
  {
    header: 'When',
    width: '11rem',
    figures: true,
    card: 'line',
    cell: ({ at }) => <TimeText value={at} withTime />,
  },
  {
    header: 'Who',
    width: '17%',
    card: 'rest',
    cell: ({ actor_id, actor_name }) =>
      actor_id === null ? (
        <UserText>{actor_name}</UserText>
      ) : (
        // Filters the log by this person.
        <UserLink to={paths.activityWith({ ...filters, person: String(actor_id) })}>{actor_name}</UserLink>
      ),
  },
  {
    header: 'What',
    width: '11rem',
    card: 'title',
    cell: ({ action, outcome }) => (
      <Text inherit fw={550} {...(outcome === 'refused' && { c: 'var(--mantine-color-error)' })}>
        {actionText(action)}
      </Text>
    ),
  },
  { header: 'Target', card: 'below', cell: (row) => <Subject row={row} /> },
  {
    header: 'IP address',
    width: '8.5rem',
    figures: true,
    card: 'none',
    cell: ({ address }) => address ?? '–',
  },
];

type ActivityTableProps = {
  filters: ActivityFilters;
  /** Undefined while loading. */
  rows: Activity[] | undefined;
  stale: boolean;
};

export function ActivityTable({ filters, rows, stale }: ActivityTableProps) {
  return (
    <RecordTable
      label="Activity"
      columns={columnsOf(filters)}
      rows={rows}
      rowKey={({ id }) => id}
      stale={stale}
      details={(row) => <RowDetails row={row} />}
    />
  );
}
