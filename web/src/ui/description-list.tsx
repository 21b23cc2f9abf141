import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './description-list.module.css';

export type DescriptionItem = {
  label: string;
  /** Undefined while loading, null if there is none. */
  value: ReactNode | undefined;
  /** Takes the full width, for long values. */
  wide?: boolean;
};

export function DescriptionList({ items }: { items: DescriptionItem[] }) {
  return (
    <dl className={classes.items}>
      {items.map(({ label, value, wide }) => (
        <div key={label} data-wide={wide}>
          <dt>{label}</dt>
          <dd dir="auto">
            {value === undefined ? <Skeleton height={14} width="60%" my={5} /> : (value ?? '–')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
