import { randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, canUseFolder, ownerOf, runAs, runsAsRoot, systemAccount } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { EmbeddedStartError, explainFileError, noSpaceText } from './errors.ts';
import { exists, syncFolder, unfinishedPrefix } from './files.ts';
import { type Identity, identityPath } from './identity.ts';
import type { EmbeddedLog } from './log.ts';

export const superuser = 'postgres';

/** A complete PostgreSQL data directory, and what is needed to run it. */
export type Cluster = {
  identity: Identity;
  binaries: Binaries;
  account: Account | undefined;
  /** PostgreSQL's own log. Outside the cluster folder, which a less trusted user can write to. */
  logFile: string;
};

/** Finds the cluster of a data folder, or creates it on the first start. */
export async function openCluster(identity: Identity, log: EmbeddedLog): Promise<Cluster> {
  const { location } = identity;
  try {
    const isPresent = await exists(join(location, 'PG_VERSION'));
    const newOwner = async () => (runsAsRoot() ? await systemAccount() : undefined);
    const account = isPresent ? await ownerOf(location) : await newOwner();
    const binaries = await findBinaries(account, log);
    if (!isPresent) await makeCluster(identity, account, binaries, log);
    await checkCluster(location, account, binaries);
    return { identity, binaries, account, logFile: join(identity.dataDir, 'postgres.log') };
  } catch (error) {
    throw explainFileError(error, location);
  }
}

async function checkCluster(
  location: string,
  account: Account | undefined,
  binaries: Binaries,
): Promise<void> {
  const version = (await readFile(join(location, 'PG_VERSION'), 'utf8')).trim();
  if (version !== binaries.majorVersion) {
    throw new EmbeddedStartError(
      `The database in ${location} was made by PostgreSQL ${version}, but this release brings PostgreSQL ` +
        `${binaries.majorVersion}. Start the release that made it, make a backup there, and restore it here.`,
    );
  }
  if (account && !(await canUseFolder(account, location))) {
    throw new EmbeddedStartError(
      `The system user that runs PostgreSQL (uid ${account.uid}) cannot reach ${location}. ` +
        'Allow it to pass through each folder above (chmod o+x), or move the data folder (DATA_DIR).',
    );
  }
}

/** Creates the cluster under a temporary name and renames it when complete: a crash leaves nothing incomplete. */
async function makeCluster(
  identity: Identity,
  account: Account | undefined,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<void> {
  const { location, dataDir } = identity;
  if (identity.initialized) {
    throw new EmbeddedStartError(
      `The database folder ${location} is missing. Put it back or restore a backup. ` +
        `To begin again with an empty database, delete ${identityPath(dataDir)}.`,
    );
  }
  log.info({ location }, 'Making the database');
  const temporary = `${unfinishedPrefix(location)}${randomUUID()}`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    const passwordFile = join(temporary, 'password');
    await writeFile(passwordFile, identity.superuserPassword, { flag: 'wx', mode: 0o600 });
    if (account) {
      await chown(passwordFile, account.uid, account.gid);
      await chown(temporary, account.uid, account.gid);
    }
    await initialize(binaries.initdb, account, temporary, passwordFile, location);
    await rename(join(temporary, 'cluster'), location);
    await syncFolder(dirname(location));
  } catch (error) {
    // Another server that started at the same moment has created the cluster, with the same password.
    if (!(await exists(join(location, 'PG_VERSION')))) throw error;
  } finally {
    // If this fails, removeUnfinished does it.
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Removes leftovers of killed first starts. Needs the lock: then no other server is creating a cluster. */
export async function removeUnfinished({ location }: Identity): Promise<void> {
  const prefix = basename(unfinishedPrefix(location));
  const leftovers = (await readdir(dirname(location))).filter((name) => name.startsWith(prefix));
  // An initdb that outlived its server may still be writing.
  const options = { recursive: true, force: true, maxRetries: 10 };
  const remove = (name: string) => rm(join(dirname(location), name), options);
  await Promise.allSettled(leftovers.map(remove));
}

/**
 * pg_trgm uses the C library's locale to decide what counts as a letter.
 * Plain `C` knows ASCII letters only, so it is the fallback for systems without the others.
 */
const characterLocales = ['C.UTF-8', 'en_US.UTF-8', 'C'];

async function initialize(
  initdb: string,
  account: Account | undefined,
  temporary: string,
  passwordFile: string,
  location: string,
): Promise<void> {
  let problem = '';
  for (const locale of characterLocales) {
    const { succeeded, stderr } = await runAs(account, initdb, [
      ...['--pgdata', join(temporary, 'cluster'), '--username', superuser, '--pwfile', passwordFile],
      ...['--auth-host=scram-sha-256', '--auth-local=scram-sha-256', '--data-checksums', '--encoding=UTF8'],
      // Built in: case mapping and sort order do not change with operating system upgrades.
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--lc-ctype=${locale}`],
    ]);
    if (succeeded) return;
    problem = stderr.trim();
    if (!problem.includes('invalid locale name')) break;
  }
  throw new EmbeddedStartError(
    problem.includes('No space left on device')
      ? noSpaceText(location)
      : `The database could not be made in ${location}: ${problem}`,
  );
}
