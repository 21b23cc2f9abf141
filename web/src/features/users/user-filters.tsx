import { limits } from '@customer-database/contract/limits';
import type { UserOrder } from '@customer-database/contract/users';
import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Sort } from '../../ui/record-table.tsx';
import classes from './user-table.module.css';

const orders: Record<UserOrder, string> = {
  name: 'Name',
  email: 'Email',
  role: 'Role',
  state: 'State',
  mfa_enabled: 'MFA',
  last_seen_at: 'Last seen',
};

type UserFiltersProps = {
  search: string;
  onSearch: (text: string) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

export function UserFilters({ search, onSearch, sort, onSort }: UserFiltersProps) {
  const [text, setText] = useState(search);
  const searched = useRef(search);
  const searchSoon = useDebouncedCallback((typed: string) => {
    searched.current = typed.trim();
    onSearch(typed);
  }, 250);

  // The address may change without the box: by the menu, or by a link.
  useEffect(() => {
    if (search === searched.current) return;
    searched.current = search;
    setText(search);
  }, [search]);

  return (
    <search aria-label="Users">
      <Group gap="sm" align="flex-end">
        <TextInput
          aria-label="Search users"
          placeholder="Name or email"
          type="search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          maxLength={limits.searchTermLength}
          flex="1 1 16rem"
          maw="28rem"
          dir="auto"
          autoComplete="off"
          onChange={(event) => {
            setText(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
        />
        {/* On wide screens the headers of the table sort. */}
        <NativeSelect
          className={classes.onCards ?? ''}
          aria-label="Sort by"
          value={`${sort.by} ${sort.order}`}
          data={Object.entries(orders).flatMap(([by, label]) => [
            { value: `${by} asc`, label: `${label}, ascending` },
            { value: `${by} desc`, label: `${label}, descending` },
          ])}
          onChange={(event) => {
            const [by = 'name', order] = event.currentTarget.value.split(' ');
            onSort({ by, order: order === 'desc' ? 'desc' : 'asc' });
          }}
        />
      </Group>
    </search>
  );
}
