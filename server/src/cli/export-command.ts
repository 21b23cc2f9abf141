import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { countText } from '../core/text.ts';
import { exportCustomers } from '../modules/customers/csv/export.ts';
import type { Command, CommandEnv } from './command.ts';
import { fileOf, pathOf, writeNewFile } from './files.ts';
import { speedText, withInterruptibleProgress } from './progress.ts';

const isClosedPipe = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EPIPE';

async function runExport({ ctx, signal }: CommandEnv, file: string, force: boolean): Promise<void> {
  const interrupted = 'Interrupted: the export is not complete.';
  const { result, seconds } = await withInterruptibleProgress(signal, interrupted, (show) => {
    const onProgress = (customers: number, total: number) =>
      show(`${customers.toLocaleString('en')} of ${countText(total, 'customer')} written`);
    const exportTo = (output: Writable, name: string) =>
      exportCustomers(ctx, { name, output, signal, onProgress });
    return file === '-'
      ? exportTo(process.stdout, 'standard output')
      : writeNewFile(pathOf(file), force, (output) => exportTo(output, basename(file)));
  });
  console.error(`Exported ${countText(result, 'customer')}${speedText(result, seconds)}`);
}

export const exportCommand: Command = {
  synopsis: 'FILE.csv [--force]',
  purpose: 'writes all customers; - for standard output',
  operands: 1,
  options: { force: { type: 'boolean' } },
  prepare: (args) => {
    const file = fileOf(args);
    const force = args.options.force === true;
    return (env) =>
      runExport(env, file, force).catch((error: unknown) => {
        // A reader such as 'head' closes the pipe early.
        if (file !== '-' || !isClosedPipe(error)) throw error;
      });
  },
};
