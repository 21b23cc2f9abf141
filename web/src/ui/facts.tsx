import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = {
  label: string;
  /** Undefined while loading, null where there is none. */
  value: ReactNode | undefined;
  /** For what may be long: takes the whole width. */
  wide?: boolean;
};

/** What is known about one thing, each with its name. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value, wide }) => (
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
