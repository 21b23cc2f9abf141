import type { Changes } from '@customer-database/contract/activity-response';
import { customerFields } from '@customer-database/contract/customers';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import classes from './activity.module.css';
import { fieldText } from './texts.ts';

// The order of the forms; the log does not keep one.
const order: readonly string[] = customerFields;

/** The customers of a moved document. The changes leave out the names if both are the same. */
function Customers({ customer_id: id, customer_name: name }: Changes) {
  const link = (end: 'from' | 'to') => {
    const customer = id?.[end];
    const label = name?.[end] ?? `Customer ${customer}`;
    return (
      <Anchor component={Link} to={paths.customer(Number(customer))} inherit underline="always" dir="auto">
        {String(label)}
      </Anchor>
    );
  };
  return (
    <li>
      Customer: {link('from')} → {link('to')}
    </li>
  );
}

/** Old and new values. A value that was added has no old one, and a removed value no new one. */
export function ChangeList({ changes }: { changes: Changes }) {
  const isMoved = typeof changes.customer_id?.from === 'number' && typeof changes.customer_id.to === 'number';
  const changed = Object.entries(changes)
    .filter(([field]) => !isMoved || !field.startsWith('customer_'))
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  if (changed.length === 0 && !isMoved) return <p className={classes.unchanged}>Saved without a change</p>;
  return (
    <ul className={classes.changes} aria-label="Changes">
      {isMoved && <Customers {...changes} />}
      {changed.map(([field, { from, to }]) => (
        <li key={field}>
          {fieldText(field)}: {from !== null && <del dir="auto">{String(from)}</del>}
          {from !== null && to !== null && ' → '}
          {to !== null && <ins dir="auto">{String(to)}</ins>}
        </li>
      ))}
    </ul>
  );
}
