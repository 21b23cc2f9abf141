import { parseArgs } from 'node:util';

export type Options = {
  isShort: boolean;
  /** Only the scenarios whose names contain this. */
  only: string | undefined;
  /** Overrides each scenario's own number. */
  times: number | undefined;
  seed: string;
};

const usage = `npm run test:faults -- [--short] [--only NAME] [--times N] [--seed N]

  Without --short, --only and --times the table goes into docs/RELIABILITY.md.

  --short   each fault a few times, as npm run test:all does
  --only    the scenarios whose names contain it: NAMES
            patroni and ceph need more Debian packages, which only --only installs, as root
  --times   how often each fault is made
  --seed    the random points of an earlier run again; every run prints its own`;

export class UsageError extends Error {}

export function readOptions(args: string[], names: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string' },
      times: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const text = usage.replace('NAMES', names.join(', '));
  if (values.help) throw new UsageError(text);
  const { only } = values;
  if (only !== undefined && !names.some((name) => name.includes(only))) {
    throw new UsageError(`There is no scenario '${only}'\n\n${text}`);
  }
  const times = values.times === undefined ? undefined : Number(values.times);
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
    throw new UsageError(`--times must be a whole number\n\n${text}`);
  }
  return {
    isShort: values.short,
    only,
    times,
    seed: values.seed ?? String(Math.floor(Math.random() * 1_000_000)),
  };
}
