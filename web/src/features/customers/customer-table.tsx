import type { Customer } from '@customer-database/contract/customers';
import { Stack, Text } from '@mantine/core';
import { formatDay } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { type Column, RecordTable } from '../../ui/record-table.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserLink } from '../../ui/user-text.tsx';
import { addressParts, Lines } from './lines.tsx';

const columns: Column<Customer>[] = [
  {
    header: 'Customer',
    cell: (customer) => (
      <Stack gap={2}>
        <UserLink to={paths.customer(customer.id)} fw={550}>
          {customer.name}
        </UserLink>
        {customer.dob && (
          <Text c="dimmed" size="xs">
            Born {formatDay(customer.dob)}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: 'Contact',
    cell: ({ email, phone_number }) => <Lines shortened parts={{ email, phone_number }} />,
  },
  { header: 'Address', cell: (customer) => <Lines shortened parts={addressParts(customer)} /> },
  { header: 'Created', width: '8.5rem', cell: (customer) => <TimeText value={customer.created_at} /> },
  {
    header: 'Actions',
    width: '7rem',
    cell: (customer) => (
      <LinkButton
        to={paths.customer(customer.id)}
        variant="default"
        size="compact-sm"
        aria-label={`View ${customer.name}`}
        style={{ justifySelf: 'start' }}
      >
        View
      </LinkButton>
    ),
  },
];

type CustomerTableProps = {
  label: string;
  /** Undefined while loading. */
  customers: Customer[] | undefined;
  stale?: boolean;
};

export function CustomerTable({ label, customers, stale = false }: CustomerTableProps) {
  return (
    <RecordTable label={label} columns={columns} rows={customers} rowKey={({ id }) => id} stale={stale} />
  );
}
