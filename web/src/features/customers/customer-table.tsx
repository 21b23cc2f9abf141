import type { Customer } from '@customer-database/contract/customers';
import { Fragment } from 'react';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { type Column, RecordTable } from '../../ui/record-table.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserLink, UserText } from '../../ui/user-text.tsx';
import { addressParts } from './address-lines.tsx';
import classes from './customer-table.module.css';

const columns: Column<Customer>[] = [
  {
    header: 'Customer',
    width: '15.5%',
    card: 'title',
    cell: ({ id, name }) => (
      <UserLink to={paths.customer(id)} fw={550}>
        {name}
      </UserLink>
    ),
  },
  {
    header: 'Contact',
    width: '33.5%',
    card: 'line',
    cell: ({ email, phone_number }) => <Parts spaced parts={[email, phone_number]} />,
  },
  {
    header: 'Address',
    card: 'rest',
    cell: (customer) => {
      const { street_line, place, country } = addressParts(customer);
      const region = [place, country].filter(Boolean).join(', ');
      return <Parts parts={[street_line && region ? `${street_line},` : street_line, region]} />;
    },
  },
  {
    header: 'Created',
    width: '7rem',
    figures: true,
    card: 'date',
    cell: ({ created_at }) => <TimeText value={created_at} />,
  },
  {
    header: 'Actions',
    width: '5rem',
    card: 'button',
    cell: ({ id, name }) => (
      <LinkButton to={paths.customer(id)} variant="default" size="compact-sm" aria-label={`View ${name}`}>
        View
      </LinkButton>
    ),
  },
];

/** Side by side if they fit, otherwise below each other. */
function Parts({ parts, spaced = false }: { parts: (string | null)[]; spaced?: boolean }) {
  const known = parts.filter((part): part is string => Boolean(part));
  if (known.length === 0) return <UserText>{null}</UserText>;
  return (
    <div className={classes.parts} data-spaced={spaced || undefined}>
      {known.map((part) => (
        <Fragment key={part}>
          <span dir="auto" title={part}>
            {part}
          </span>{' '}
        </Fragment>
      ))}
    </div>
  );
}

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
