/** What a scenario found out; both lists must stay empty. */
export type Findings = {
  /** Acknowledged, and not there any more. */
  lost: string[];
  /** Another promise that was not kept. */
  broken: string[];
  expect(kept: boolean, otherwise: string): void;
};

export function createFindings(): Findings {
  const lost: string[] = [];
  const broken: string[] = [];
  return {
    lost,
    broken,
    expect(kept, otherwise) {
      if (!kept && !broken.includes(otherwise)) broken.push(otherwise);
    },
  };
}

/** Something that the machine does not have or does not allow; its message says what to do. */
export class MissingError extends Error {}

/** One line of the table. */
export type Fault = {
  what: string;
  times: number;
  /** What was looked at afterwards. */
  checked: string;
  /** Seconds until it worked again, each time. */
  recoveries: number[];
  /** What else is worth knowing. */
  seen: string;
  findings: Findings;
};

export type Scenario = {
  name: string;
  run(context: ScenarioContext): Promise<Fault[]>;
};

export type ScenarioContext = {
  isShort: boolean;
  /** How often, unless somebody asked for another number. */
  times(full: number, short: number): number;
  /** Numbers that are the same with the same seed; of their own for each purpose, so that a load cannot shift them. */
  random(purpose: 'points' | 'load'): () => number;
  /** For the data of this run. */
  folder: string;
  progress(text: string): void;
};

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
