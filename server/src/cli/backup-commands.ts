import { existsSync } from 'node:fs';
import { type BackupFiles, isUnfinished, listBackups, readManifest } from '../backup/catalogue.ts';
import { BackupDamaged, BackupRefused, type Manifest } from '../backup/layout.ts';
import { type BackupResult, makeBackup } from '../backup/make.ts';
import type { BackupTarget } from '../backup/target.ts';
import { verifyBackup, verifyTarget } from '../backup/verify.ts';
import { maxBackupsKept } from '../core/settings.ts';
import { countText } from '../core/text.ts';
import { targetAndId, withTarget } from './backup-target.ts';
import { type Command, type CommandEnv, CommandFailed, type StandaloneEnv, UsageError } from './command.ts';
import { pathOf } from './files.ts';
import { withInterruptibleProgress } from './progress.ts';

const maxShownProblems = 20;
const unfinishedText = 'not complete: it is being made, or was interrupted';

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

const rowsText = (manifest: Manifest, table: string, noun: string) =>
  countText(manifest.tables.find(({ name }) => name === table)?.rows ?? 0, noun);

export const contentsOf = (manifest: Manifest) =>
  `${rowsText(manifest, 'customers', 'customer')}, ${rowsText(manifest, 'documents', 'document')} ` +
  `(${megabytes(manifest.documents.bytes)}), ${rowsText(manifest, 'users', 'user')}`;

function report(
  { manifest, newObjects, newBytes }: BackupResult,
  target: BackupTarget,
  seconds: number,
): void {
  console.log(`Backup ${manifest.id} is complete: ${contentsOf(manifest)}.`);
  console.log(
    `New to ${target.name}: ${countText(newObjects, 'document')} (${megabytes(newBytes)}). ` +
      `It took ${seconds.toFixed(1)} s.`,
  );
  if (manifest.secret_key) console.log('It includes the secret key: keep it as safe as the data.');
  if (manifest.unreadable.length === 0) return;
  throw new CommandFailed(
    `${countText(manifest.unreadable.length, 'document')} could not be read: not in the backup. ` +
      'Find them with: npm run admin -- check',
  );
}

async function runMake(env: CommandEnv, name: string | undefined, keep: number | undefined): Promise<void> {
  const { ctx, signal } = env;
  await withTarget(ctx.deps.config, name, 'writing', async (target) => {
    const interrupted = 'Interrupted: the backup, or the removal of old ones, is not complete.';
    const { result, seconds } = await withInterruptibleProgress(signal, interrupted, (show) =>
      makeBackup(ctx, { target, keep, expectEarlierBackups: false, signal, show }),
    );
    report(result, target, seconds);
  });
}

function parseKeep(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const keep = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (keep < 1 || keep > maxBackupsKept) {
    throw new UsageError(`--keep needs a number from 1 to ${maxBackupsKept}`);
  }
  return keep;
}

/** A mistyped command must not create a folder of that name. */
function refuseBareWord(target: string | undefined): void {
  if (target === undefined || target.startsWith('s3://') || /[./\\]/.test(target)) return;
  if (existsSync(pathOf(target))) return;
  throw new UsageError(`There is no folder ${target}. To create it: ./${target}`);
}

export const makeCommand: Command = {
  synopsis: '[TARGET] [--keep N]',
  purpose: 'makes a backup; keeps the newest N',
  operands: 1,
  options: { keep: { type: 'string' } },
  prepare: ({ operands: [target], options }) => {
    const keep = parseKeep(options.keep);
    refuseBareWord(target);
    return (env) => runMake(env, target, keep);
  },
};

async function runVerify(env: StandaloneEnv, name: string | undefined, id?: string): Promise<void> {
  const { config, signal } = env;
  const { result, seconds } = await withTarget(config, name, 'reading', (target) =>
    withInterruptibleProgress(signal, 'Interrupted: not everything was read.', (show) =>
      id === undefined ? verifyTarget(target, { signal, show }) : verifyBackup(target, id, { signal, show }),
    ),
  );
  const { backups, unfinished, problems } = result;
  for (const backup of unfinished) console.log(`Backup ${backup} is ${unfinishedText}.`);
  if (problems.length > 0) {
    for (const problem of problems.slice(0, maxShownProblems)) console.error(problem);
    const more = problems.length - maxShownProblems;
    if (more > 0) console.error(`and ${more.toLocaleString('en')} more`);
    throw new CommandFailed('The verification failed: do not rely on these backups.');
  }
  for (const manifest of backups) {
    console.log(`Backup ${manifest.id} is intact: ${contentsOf(manifest)}.`);
    const { length } = manifest.unreadable;
    if (length > 0)
      console.log(`It lacks ${countText(length, 'document')} that could not be read when it was made.`);
  }
  console.log(`Every file was read and compared with its checksum in ${seconds.toFixed(1)} s.`);
}

export const verifyCommand: Command = {
  synopsis: '[TARGET] [BACKUP]',
  purpose: 'reads everything and compares it with the checksums',
  operands: 2,
  prepareStandalone: (args) => {
    const { target, id } = targetAndId(args);
    return (env) => runVerify(env, target, id);
  },
};

async function describeBackup(target: BackupTarget, backup: BackupFiles): Promise<string> {
  if (isUnfinished(backup)) return unfinishedText;
  return readManifest(target, backup.id).then(contentsOf, (error: unknown) => {
    if (error instanceof BackupDamaged || error instanceof BackupRefused) return error.message;
    throw error;
  });
}

async function runList({ config }: StandaloneEnv, name: string | undefined): Promise<void> {
  await withTarget(config, name, 'reading', async (target) => {
    const backups = await listBackups(target);
    if (backups.length === 0) console.log(`There is no backup in ${target.name}.`);
    for (const backup of backups) console.log(`${backup.id}  ${await describeBackup(target, backup)}`);
  });
}

export const listCommand: Command = {
  synopsis: '[TARGET]',
  purpose: 'lists the backups',
  operands: 1,
  prepareStandalone:
    ({ operands: [target] }) =>
    (env) =>
      runList(env, target),
};
