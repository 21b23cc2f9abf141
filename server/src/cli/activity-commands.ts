import { readFile } from 'node:fs/promises';
import { countText } from '../core/text.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import { acceptActivity } from '../modules/activity/seals/accept.ts';
import { eraseActivityOf } from '../modules/activity/seals/erase.ts';
import type { NotedSeal } from '../modules/activity/seals/note.ts';
import { readSealText, sealText } from '../modules/activity/seals/note.ts';
import { newestSeal } from '../modules/activity/seals/seal.ts';
import { type Verification, verifyActivity } from '../modules/activity/seals/verify.ts';
import { type Command, type CommandEnv, CommandFailed, UsageError } from './command.ts';
import { pathOf } from './files.ts';
import { speedText, withInterruptibleProgress } from './progress.ts';

function readSeal(text: string): NotedSeal {
  const seal = readSealText(text);
  if (!seal) throw new UsageError('--seal needs a seal as activity-seal prints it');
  return seal;
}

/** A file that SEAL_COPY_TO wrote: a seal in each line. */
async function readSealFile(path: string): Promise<NotedSeal[]> {
  const lines = (await readFile(pathOf(path), 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => {
    const seal = readSealText(line);
    if (!seal) throw new CommandFailed(`${path}, line ${at + 1}: not a seal`);
    return seal;
  });
}

function report(found: Verification, seconds: number): void {
  const { rows, seals, unsealed, erased, removed, newest, problems } = found;
  console.log(`Read ${countText(rows, 'row')} and ${countText(seals, 'seal')}${speedText(rows, seconds)}`);
  if (removed > 0) console.log(`Removed earlier, by ACTIVITY_KEEP_DAYS: ${countText(removed, 'row')}`);
  if (erased > 0) console.log(`With names and values erased: ${countText(erased, 'row')}`);
  if (unsealed > 0) console.log(`Waiting for the next seal: ${countText(unsealed, 'row')}`);
  if (newest) console.log(`Newest seal: ${sealText(newest)} of ${newest.sealed_at.toISOString()}`);
  if (problems > 0) throw new CommandFailed(`${countText(problems, 'problem')} found: see above.`);
  console.log('Every row is as the server wrote it, and none is missing.');
}

async function runVerification({ ctx, signal }: CommandEnv, noted: NotedSeal[]): Promise<void> {
  const interrupted = 'Interrupted: not everything was verified.';
  const { result, seconds } = await withInterruptibleProgress(signal, interrupted, (show) =>
    verifyActivity(ctx.deps, {
      signal,
      noted,
      onRows: (rows) => show(`${countText(rows, 'row')} read`),
      onProblem: (text) => console.error(text),
    }),
  );
  const { rows, problems } = result;
  const subject = { type: 'activity', id: null, label: null } as const;
  await recordActivity(ctx, 'activity.verified', subject, { rows, problems });
  report(result, seconds);
}

async function runAcceptance({ ctx }: CommandEnv): Promise<void> {
  const { isNewChain } = await acceptActivity(ctx);
  console.log(
    isNewChain
      ? 'Started a new chain of seals. It proves nothing about earlier changes to the log.'
      : 'The seals in the database are intact. This machine has noted the newest one.',
  );
}

async function printSeal({ ctx }: CommandEnv): Promise<void> {
  const newest = await newestSeal(ctx);
  if (!newest) throw new CommandFailed('Nothing is sealed yet: the server seals the log every minute.');
  console.log(sealText(newest));
}

async function runErasure({ ctx }: CommandEnv, customerId: number): Promise<void> {
  const rows = await eraseActivityOf(ctx, customerId);
  console.log(`Erased the names and values of ${countText(rows, 'row')}.`);
}

export const activityCommands: Record<string, Command> = {
  'verify-activity': {
    synopsis: '[--seal SEAL] [--seals FILE]',
    purpose: 'lists rows of the activity log that were changed, removed, added or moved',
    operands: 0,
    options: { seal: { type: 'string' }, seals: { type: 'string' } },
    prepare: ({ options: { seal, seals } }) => {
      const noted = seal === undefined ? [] : [readSeal(String(seal))];
      return async (env) => {
        const copied = seals === undefined ? [] : await readSealFile(String(seals));
        await runVerification(env, [...noted, ...copied]);
      };
    },
  },
  'accept-activity': {
    synopsis: '',
    purpose: 'accepts the activity log as it is, once you know the cause of what verify-activity found',
    operands: 0,
    prepare: () => runAcceptance,
  },
  'activity-seal': {
    synopsis: '',
    purpose: 'prints the newest seal, which you keep outside of this machine',
    operands: 0,
    prepare: () => printSeal,
  },
  'erase-activity': {
    synopsis: 'CUSTOMER_ID',
    purpose: 'erases names and values about a customer from the log; the rows stay',
    operands: 1,
    prepare: ({ operands: [id = ''] }) => {
      if (!/^[1-9]\d{0,15}$/.test(id)) throw new UsageError('CUSTOMER_ID must be a positive whole number');
      return (env) => runErasure(env, Number(id));
    },
  },
};
