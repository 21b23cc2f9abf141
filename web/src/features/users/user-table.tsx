import type { ManagedUser, UserState } from '@customer-database/contract/users';
import { Badge, Group, Text } from '@mantine/core';
import type { UserAction } from '../../api/users.ts';
import { formatDate } from '../../lib/format.ts';
import { roleNames } from '../../lib/roles.ts';
import { type Column, RecordTable, type Sort } from '../../ui/record-table.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { hasSecondFactor } from './user-actions.ts';
import { UserMenu } from './user-menu.tsx';
import classes from './user-table.module.css';

const stateColors: Record<UserState, string> = {
  active: 'pine',
  invited: 'blue',
  expired: 'orange',
  disabled: 'gray',
};

function StateText({ user: { state, expires_at } }: { user: ManagedUser }) {
  const until = state === 'invited' && expires_at ? ` until ${formatDate(expires_at)}` : '';
  return (
    <Badge variant="light" color={stateColors[state]} tt="none" size="md" style={{ maxWidth: '100%' }}>
      {`${state[0]?.toUpperCase()}${state.slice(1)}${until}`}
    </Badge>
  );
}

type UserTableProps = {
  users: ManagedUser[] | undefined;
  stale: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onEdit: (user: ManagedUser) => void;
  onAction: (user: ManagedUser, action: UserAction) => void;
};

export function UserTable({ users, stale, sort, onSort, onEdit, onAction }: UserTableProps) {
  const columns: Column<ManagedUser>[] = [
    {
      header: 'Name',
      sortBy: 'name',
      card: 'title',
      cell: ({ name }) => <UserText fw={550}>{name}</UserText>,
    },
    {
      header: 'Email',
      sortBy: 'email',
      width: '26%',
      card: 'below',
      cell: ({ email }) => <UserText>{email}</UserText>,
    },
    {
      header: 'Role',
      sortBy: 'role',
      width: '5rem',
      card: 'line',
      cell: (user) => (
        <>
          {roleNames[user.role]}
          {hasSecondFactor(user) && (
            <Text span inherit className={classes.onCards ?? ''}>
              {' '}
              · MFA
            </Text>
          )}
        </>
      ),
    },
    {
      header: 'State',
      sortBy: 'state',
      width: '12.5rem',
      card: 'actions',
      cell: (user) => <StateText user={user} />,
    },
    {
      header: 'MFA',
      sortBy: 'mfa_enabled',
      width: '4.5rem',
      card: 'none',
      cell: (user) => (hasSecondFactor(user) ? 'On' : 'Off'),
    },
    {
      header: 'Last seen',
      sortBy: 'last_seen_at',
      width: '7rem',
      figures: true,
      card: 'date',
      cell: ({ last_seen_at }) =>
        last_seen_at ? (
          <TimeText value={last_seen_at} />
        ) : (
          <Text inherit c="dimmed">
            Never seen
          </Text>
        ),
    },
    {
      header: 'Actions',
      width: '5.5rem',
      card: 'button',
      cell: (user) => (
        <Group justify="flex-end">
          <UserMenu user={user} onEdit={() => onEdit(user)} onAction={(action) => onAction(user, action)} />
        </Group>
      ),
    },
  ];
  return (
    <RecordTable
      label="Users"
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      stale={stale}
      sorting={{ sort, onSort }}
    />
  );
}
