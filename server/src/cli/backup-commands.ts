import { existsSync } from 'node:fs';
import { type BackupFiles, isUnfinished, listBackups, readManifest } from '../backup/catalogue.ts';
import { BackupDamaged, BackupRefused, type Manifest } from '../backup/layout.ts';
import { type BackupResult, makeBackup } from '../backup/make.ts';
import type { Place } from '../backup/place.ts';
import { verifyBackup, verifyPlace } from '../backup/verify.ts';
import { maxBackupsKept } from '../core/settings.ts';
import { countText } from '../core/text.ts';
import { loadSecretKey } from '../crypto/secret-key.ts';
import { placeAndId, withPlace } from './backup-place.ts';
import {
  type Command,
  type CommandEnv,
  CommandFailed,
  interruptible,
  type StandaloneEnv,
  UsageError,
} from './command.ts';
import { pathOf } from './files.ts';
import { withProgress } from './progress.ts';

const maxShownProblems = 20;

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

const rowsText = (manifest: Manifest, table: string, noun: string) =>
  countText(manifest.tables.find(({ name }) => name === table)?.rows ?? 0, noun);

export const contentsOf = (manifest: Manifest) =>
  `${rowsText(manifest, 'customers', 'customer')}, ${rowsText(manifest, 'documents', 'document')} ` +
  `(${megabytes(manifest.documents.bytes)}), ${rowsText(manifest, 'users', 'user')}`;

function report({ manifest, newObjects, newBytes }: BackupResult, place: Place, seconds: number): void {
  console.log(`Backup ${manifest.id} is complete: ${contentsOf(manifest)}.`);
  console.log(
    `New to ${place.name}: ${countText(newObjects, 'document')} (${megabytes(newBytes)}). ` +
      `It took ${seconds.toFixed(1)} s.`,
  );
  if (manifest.secret_key) console.log('It holds the secret key too: keep it as safe as the data itself.');
  if (manifest.unreadable.length === 0) return;
  throw new CommandFailed(
    `${countText(manifest.unreadable.length, 'document')} could not be read: not in the backup. ` +
      'Find them with: npm run admin -- check',
  );
}

async function runMake(env: CommandEnv, name: string | undefined, keep: number | undefined): Promise<void> {
  const { ctx, signal } = env;
  const { config } = ctx.deps;
  await withPlace(config, name, 'writing', async (place) => {
    const storedSecretKey = config.secretKey === undefined ? await loadSecretKey(config.dataDir) : undefined;
    const { result, seconds } = await withProgress((show) =>
      interruptible(signal, 'Interrupted: the backup, or the removal of old ones, is not complete.', () =>
        makeBackup(ctx, { place, storedSecretKey, keep, expectEarlierBackups: false, signal, show }),
      ),
    );
    report(result, place, seconds);
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

/** A mistyped command must not become a folder with a copy of everything. */
function refuseBareWord(place: string | undefined): void {
  if (place === undefined || place.startsWith('s3://') || /[./\\]/.test(place)) return;
  if (existsSync(pathOf(place))) return;
  throw new UsageError(`There is no folder ${place}. If a new one is meant: ./${place}`);
}

export const makeCommand: Command = {
  synopsis: '[PLACE] [--keep N]',
  purpose: 'makes a backup; keeps the newest N',
  operands: 1,
  options: { keep: { type: 'string' } },
  prepare: ({ operands: [place], options }) => {
    const keep = parseKeep(options.keep);
    refuseBareWord(place);
    return (env) => runMake(env, place, keep);
  },
};

async function runVerify(env: StandaloneEnv, name: string | undefined, id?: string): Promise<void> {
  const { config, signal } = env;
  const { result, seconds } = await withPlace(config, name, 'reading', (place) =>
    withProgress((show) =>
      interruptible(signal, 'Interrupted: not everything was read.', () =>
        id === undefined
          ? verifyPlace(place.storage, { signal, show })
          : verifyBackup(place.storage, id, { signal, show }),
      ),
    ),
  );
  const { backups, unfinished, problems } = result;
  for (const backup of unfinished)
    console.log(`Backup ${backup} is not complete: it is being made, or it broke off.`);
  if (problems.length > 0) {
    for (const problem of problems.slice(0, maxShownProblems)) console.error(problem);
    const more = problems.length - maxShownProblems;
    if (more > 0) console.error(`and ${more.toLocaleString('en')} more`);
    throw new CommandFailed('The verification failed: do not rely on what lies there.');
  }
  for (const manifest of backups) {
    console.log(`Backup ${manifest.id} is whole: ${contentsOf(manifest)}.`);
    const { length } = manifest.unreadable;
    if (length > 0)
      console.log(`It was made without ${countText(length, 'document')} that could not be read any more.`);
  }
  console.log(`Every file was read and compared with its checksum in ${seconds.toFixed(1)} s.`);
}

export const verifyCommand: Command = {
  synopsis: '[PLACE] [BACKUP]',
  purpose: 'reads everything again and compares it with its checksums',
  operands: 2,
  prepareStandalone: (args) => {
    const { place, id } = placeAndId(args);
    return (env) => runVerify(env, place, id);
  },
};

async function describeBackup({ storage }: Place, backup: BackupFiles): Promise<string> {
  if (isUnfinished(backup)) return 'not complete: it is being made, or it broke off';
  return readManifest(storage, backup.id).then(contentsOf, (error: unknown) => {
    if (error instanceof BackupDamaged || error instanceof BackupRefused) return error.message;
    throw error;
  });
}

async function runList({ config }: StandaloneEnv, name: string | undefined): Promise<void> {
  await withPlace(config, name, 'reading', async (place) => {
    const backups = await listBackups(place.storage);
    if (backups.length === 0) console.log(`There is no backup in ${place.name}.`);
    for (const backup of backups) console.log(`${backup.id}  ${await describeBackup(place, backup)}`);
  });
}

export const listCommand: Command = {
  synopsis: '[PLACE]',
  purpose: 'says which backups are there',
  operands: 1,
  prepareStandalone: ({ operands: [place] }) => {
    return (env) => runList(env, place);
  },
};
