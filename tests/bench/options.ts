import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Size } from './dataset/make.ts';
import { type Effort, once } from './measure.ts';

export type Options = {
  /** Where the data is cached between runs. */
  folder: string;
  /** The data to measure on, and a hundredth of it to show what grows. */
  size: Size;
  smallSize: Size;
  /** Only checks that all cases work. */
  isSmall: boolean;
  check: boolean;
  /** Backups and restores instead of requests. */
  backups: boolean;
  /** Store the current plans of the small size. */
  writePlans: boolean;
  /** Only the cases whose names contain this. */
  only: string | undefined;
  effort: Effort;
};

const defaultFolder = fileURLToPath(new URL('../../data-bench', import.meta.url));

const usage = `npm run bench -- [--check] [--small [--write-plans]] [--only TEXT] [--customers N] [--documents N]
              [--folder FOLDER]
npm run bench -- --backups [--customers N] [--documents N] [--folder FOLDER]

  Without --small and --only the figures go into docs/PERFORMANCE.md.

  --check       end with an error where a bound is missed
  --small       all cases once on 20,000 customers: whether they work, not how fast
  --write-plans with --small: keep the plans as they are now in plans.txt
  --backups     how long backups and restores take and how much memory (1000000 and 100000)
  --only TEXT   the cases whose names contain it
  --customers, --documents   how much data; made once and kept (1000000 and 2000000)
  --folder      where to keep it (data-bench)`;

export class UsageError extends Error {}

function readCount(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`--${name} must be a whole number\n\n${usage}`);
  return value;
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      check: { type: 'boolean', default: false },
      backups: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
      'write-plans': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string' },
      customers: { type: 'string' },
      documents: { type: 'string' },
      folder: { type: 'string', default: defaultFolder },
    },
  });
  if (values.help) throw new UsageError(usage);
  const customers = readCount('customers', values.customers ?? (values.small ? '20000' : '1000000'));
  const documents = readCount(
    'documents',
    values.documents ?? String(values.backups ? customers / 10 : 2 * customers),
  );
  const smaller = (full: number) => Math.max(2_000, Math.round(full / 100));
  return {
    folder: values.folder,
    size: { customers, documents },
    smallSize: { customers: smaller(customers), documents: smaller(documents) },
    isSmall: values.small,
    check: values.check,
    backups: values.backups,
    writePlans: values['write-plans'],
    only: values.only,
    effort: values.small ? once : { seconds: 2, rounds: 3 },
  };
}

/** The options of the other benches: [--small] [--documents N] [--folder FOLDER] */
export function readShortOptions(): Pick<Options, 'isSmall' | 'folder'> & { documents: number | undefined } {
  const { values } = parseArgs({
    options: {
      small: { type: 'boolean', default: false },
      documents: { type: 'string' },
      folder: { type: 'string', default: defaultFolder },
    },
  });
  const documents = values.documents === undefined ? undefined : readCount('documents', values.documents);
  return { isSmall: values.small, folder: values.folder, documents };
}
