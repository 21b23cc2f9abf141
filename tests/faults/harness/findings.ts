import type { Part } from '@customer-database/testkit/debian-package';

/** What a scenario found; both lists must stay empty. */
export type Findings = {
  /** Acknowledged and no longer there. */
  lost: string[];
  /** Other broken promises. */
  broken: string[];
  expect(condition: boolean, message: string): void;
};

export function createFindings(): Findings {
  const lost: string[] = [];
  const broken: string[] = [];
  return {
    lost,
    broken,
    expect(condition, message) {
      if (!condition && !broken.includes(message)) broken.push(message);
    },
  };
}

/** The machine lacks or forbids something; the message says what to do. */
export class MissingError extends Error {}

/** One row of the table. */
export type Fault = {
  what: string;
  times: number;
  /** What was verified afterwards. */
  checked: string;
  /** Seconds until it worked again, for each time. */
  recoveries: number[];
  /** What else was observed. */
  seen: string;
  findings: Findings;
};

export type Scenario = {
  name: string;
  /** Debian packages for this scenario alone: it is no part of a short run, and only `--only` installs them. */
  ownParts?: Part[];
  run(context: ScenarioContext): Promise<Fault[]>;
};

export type ScenarioContext = {
  isShort: boolean;
  /** How often, unless the options say otherwise. */
  times(full: number, short: number): number;
  /** Seeded random numbers; each purpose has its own sequence, so that the load cannot shift the fault points. */
  random(purpose: 'points' | 'load'): () => number;
  /** For the data of this run. */
  folder: string;
  progress(text: string): void;
};

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
