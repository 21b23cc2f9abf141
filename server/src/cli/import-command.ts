import { countText } from '../core/text.ts';
import { type ImportOptions, type ImportResult, importCustomers } from '../modules/customers/csv/import.ts';
import { type Command, type CommandEnv, CommandFailed } from './command.ts';
import { fileOf, pathOf } from './files.ts';
import { speedText, withInterruptibleProgress } from './progress.ts';

type Choices = Pick<ImportOptions, 'path' | 'dryRun' | 'skipBad' | 'report'>;

function printRefused({ count, first }: ImportResult['refused'], report: string | undefined): void {
  for (const { line, reason } of first) console.error(`line ${line}: ${reason}`);
  if (count > first.length) console.error(`and ${(count - first.length).toLocaleString('en')} more`);
  if (count > 0 && report) console.error(`All refused lines are in ${report}`);
}

function refusalText({ good, refused }: ImportResult, dryRun: boolean): string {
  const lines = `${refused.count.toLocaleString('en')} of ${countText(good + refused.count, 'line')}`;
  const outcome = dryRun ? 'Nothing would be imported' : 'Nothing was imported';
  return `${outcome}: ${lines} refused. Correct the file, or import the valid lines only with --skip-bad.`;
}

function outcomeText({ good, imported, refused }: ImportResult, dryRun: boolean, seconds: number): string {
  const skipped = refused.count > 0 ? `, ${countText(refused.count, 'line')} skipped` : '';
  const speed = speedText(good + refused.count, seconds);
  if (dryRun)
    return `Dry run, nothing written: ${countText(good, 'customer')} would be imported${skipped}${speed}`;
  return `Imported ${countText(imported, 'customer')}${skipped}${speed}`;
}

async function runImport({ ctx, signal }: CommandEnv, choices: Choices): Promise<void> {
  const { dryRun, skipBad, report } = choices;
  const interrupted = 'Interrupted: nothing was imported.';
  const { result, seconds } = await withInterruptibleProgress(signal, interrupted, (show) =>
    importCustomers(ctx, {
      ...choices,
      signal,
      onProgress: (lines, part) => show(`${countText(lines, 'line')} read (${Math.floor(part * 100)} %)`),
    }),
  );
  printRefused(result.refused, report);
  if (result.refused.count > 0 && !skipBad) throw new CommandFailed(refusalText(result, dryRun));
  console.log(outcomeText(result, dryRun, seconds));
}

export const importCommand: Command = {
  synopsis: 'FILE.csv [--dry-run] [--skip-bad] [--report FILE]',
  purpose: 'imports all customers of the file, or none',
  operands: 1,
  options: { 'dry-run': { type: 'boolean' }, 'skip-bad': { type: 'boolean' }, report: { type: 'string' } },
  prepare: (args) => {
    const { options } = args;
    const choices = {
      path: pathOf(fileOf(args)),
      dryRun: options['dry-run'] === true,
      skipBad: options['skip-bad'] === true,
      report: typeof options.report === 'string' ? pathOf(options.report) : undefined,
    };
    return (env) => runImport(env, choices);
  },
};
