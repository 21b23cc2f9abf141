import { createRepair } from '../backup/repair.ts';
import { countText } from '../core/text.ts';
import {
  type CheckResult,
  checkDocuments,
  type Problem,
  problemsIn,
} from '../modules/documents/consistency/check.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { withTarget } from './backup-target.ts';
import { type Command, type CommandEnv, CommandFailed, UsageError } from './command.ts';
import { withInterruptibleProgress } from './progress.ts';

const meanings = {
  missing: 'its file is missing',
  damaged: 'its file differs from the upload, or cannot be read',
  leftover: 'belongs to no document',
  stray: 'is not a file of this program',
};

function problemText({ kind, key, document }: Problem): string {
  const subject = document ? `Document ${document.id} (${document.filename}, ${key})` : key;
  return `${subject}: ${meanings[kind]}`;
}

function report(result: CheckResult, seconds: number, wasRepaired: boolean): void {
  const { documents, bytes, found, recent, repaired } = result;
  console.log(
    `Read ${countText(documents, 'document')} (${(bytes / 1e6).toFixed(1)} MB) in ${seconds.toFixed(1)} s.`,
  );
  if (recent > 0) {
    console.log(
      `${countText(recent, 'file')} of the last day without a document: an upload or a deletion may be running.`,
    );
  }
  const problems = problemsIn(result);
  if (problems === 0) {
    const rest = recent > 0 ? '' : ', and there are no other files';
    console.log(`Every document has its file, byte for byte${rest}.`);
    return;
  }
  const counts = Object.entries(found).flatMap(([kind, count]) => (count > 0 ? `${count} ${kind}` : []));
  console.log(`Found: ${counts.join(', ')}.${wasRepaired ? ` Repaired: ${repaired}.` : ''}`);
  if (repaired === problems) return;
  throw new CommandFailed(
    wasRepaired
      ? 'Some problems remain. To restore documents from a backup: --repair --from TARGET'
      : 'Add --repair to remove files without a document, and --from TARGET to restore documents from a backup.',
  );
}

async function runCheck(env: CommandEnv, repair: boolean, target: ObjectStorage | undefined): Promise<void> {
  const { ctx, signal } = env;
  const interrupted = 'Interrupted: not everything was checked.';
  const { result, seconds } = await withInterruptibleProgress(signal, interrupted, (show) =>
    checkDocuments(ctx, {
      signal,
      show,
      onProblem: (problem) => console.error(problemText(problem)),
      ...(repair && { repair: createRepair(ctx, target) }),
    }),
  );
  report(result, seconds, repair);
}

export const checkCommand: Command = {
  synopsis: '[--repair [--from TARGET]]',
  purpose: 'compares all documents with their files and checksums',
  operands: 0,
  options: { repair: { type: 'boolean' }, from: { type: 'string' } },
  prepare: ({ options }) => {
    const repair = options.repair === true;
    const { from } = options;
    if (typeof from !== 'string') return (env) => runCheck(env, repair, undefined);
    if (!repair) throw new UsageError('--from needs --repair');
    return (env) =>
      withTarget(env.ctx.deps.config, from, 'reading', (target) => runCheck(env, repair, target));
  },
};
