import { basename } from 'node:path';
import type { CreateCustomerInput } from '@customer-database/contract/customers';
import { type Context, inTransaction } from '../../../core/context.ts';
import { withOwnConnection } from '../../../db/own-connection.ts';
import { recordActivity } from '../../activity/commands.ts';
import { subjectOfCount } from '../commands.ts';
import { loadCustomers } from './bulk-load.ts';
import { type CheckedLine, createLineCheck } from './check-line.ts';
import { type CsvFile, openCsvFile } from './file.ts';
import {
  collectRefusedLines,
  type RefusedLine,
  type RefusedLines,
  refuseExistingReport,
} from './refused-lines.ts';

export type ImportOptions = {
  path: string;
  /** Checks everything and writes nothing. */
  dryRun: boolean;
  /** Imports the good lines. Otherwise a refused line prevents the whole import. */
  skipBad: boolean;
  /** A file for all refused lines. */
  report?: string | undefined;
  signal: AbortSignal;
  onProgress?: (lines: number, fractionRead: number) => void;
};

export type ImportResult = {
  good: number;
  imported: number;
  refused: { count: number; first: RefusedLine[] };
};

/** Rolls back the lines before the first refused line. */
class NothingImported extends Error {}

type Reading = {
  file: CsvFile;
  check: (values: string[]) => CheckedLine;
  refused: RefusedLines;
  good: number;
};

// Most lines are shorter, so the estimate is too low rather than too high.
const longLineBytes = 150;

const isBlank = (values: string[]) => values.every((value) => value.trim() === '');

/** Always reads to the end, so that one attempt reports all refused lines. */
async function* goodCustomers(
  reading: Reading,
  { skipBad, onProgress }: ImportOptions,
): AsyncGenerator<CreateCustomerInput[]> {
  const { file, check, refused } = reading;
  let lines = 0;
  for await (const batch of file.batches()) {
    const customers: CreateCustomerInput[] = [];
    for (const { line, values } of batch) {
      const checked = check(values);
      if ('customer' in checked) customers.push(checked.customer);
      // Spreadsheets often write lines that contain only delimiters.
      else if (!isBlank(values)) refused.add(line, checked.reason, values);
    }
    await refused.drain();
    reading.good += customers.length;
    lines += batch.length;
    onProgress?.(lines, file.fractionRead());
    if (skipBad || refused.count === 0) yield customers;
  }
  // Before the commit, so that nothing is imported if the report cannot be written.
  await refused.close();
  if (!skipBad && refused.count > 0) throw new NothingImported();
}

/** One transaction on one connection, so that any interruption undoes the import. */
function importLines(ctx: Context, reading: Reading, options: ImportOptions): Promise<number> {
  const { path, signal } = options;
  return withOwnConnection(ctx.deps.pool, ({ client, db }) =>
    inTransaction({ ...ctx, db }, async (tx) => {
      // Only closing the connection stops PostgreSQL while it processes the rest of the sent data.
      const disconnect = () => void client.end();
      signal.addEventListener('abort', disconnect);
      const imported = await loadCustomers(client, goodCustomers(reading, options), {
        at: ctx.deps.clock.now(),
        expected: Math.floor(reading.file.size / longLineBytes),
      }).finally(() => signal.removeEventListener('abort', disconnect));
      signal.throwIfAborted();
      const detail = { file: basename(path), imported, skipped: reading.refused.count };
      if (imported > 0) await recordActivity(tx, 'customers.imported', subjectOfCount(imported), detail);
      return imported;
    }),
  );
}

async function checkOnly(reading: Reading, options: ImportOptions): Promise<number> {
  for await (const _ of goodCustomers(reading, options)) options.signal.throwIfAborted();
  return 0;
}

async function readAll(ctx: Context, reading: Reading, options: ImportOptions): Promise<number> {
  try {
    return await (options.dryRun ? checkOnly(reading, options) : importLines(ctx, reading, options));
  } catch (error) {
    if (error instanceof NothingImported) return 0;
    await reading.refused.discard();
    throw error;
  }
}

/** Adds all customers of a CSV file. Without `skipBad`, adds none if a line is refused. */
export async function importCustomers(ctx: Context, options: ImportOptions): Promise<ImportResult> {
  if (options.report) await refuseExistingReport(options.report);
  const file = await openCsvFile(options.path, options.signal);
  try {
    const check = createLineCheck(file.header, ctx.deps.clock.now());
    const refused = collectRefusedLines(file.header, options.report);
    const reading: Reading = { file, check, refused, good: 0 };
    const imported = await readAll(ctx, reading, options);
    return { good: reading.good, imported, refused: { count: refused.count, first: refused.first } };
  } finally {
    await file.close();
  }
}
