import type { Changes } from '@customer-database/contract/activity-response';
import { customerFields } from '@customer-database/contract/customers';
import classes from './activity.module.css';
import { fieldText } from './texts.ts';

// As in the forms; the log does not keep an order.
const order: readonly string[] = customerFields;

/** Old and new values; a value that was added or removed stands alone. */
export function ChangeList({ changes }: { changes: Changes }) {
  const changed = Object.entries(changes).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  if (changed.length === 0) return <p className={classes.unchanged}>Saved without a change</p>;
  return (
    <ul className={classes.changes} aria-label="Changes">
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
