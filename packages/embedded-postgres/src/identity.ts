import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { canUseFolder, runsAsRoot, systemAccount, systemFolder } from './account.ts';
import { makeSystemFolder } from './binaries.ts';
import { makeDataFolder } from './data-folder.ts';
import { EmbeddedStartError, errorCode, explainFileError } from './errors.ts';
import { exists, unfinishedPrefix, writePrivateFile } from './files.ts';
import type { EmbeddedLog } from './log.ts';

const identityFile = z.object({
  /** Relative if it is inside the data folder, so that the folder can be moved; absolute otherwise. */
  location: z.string().min(1),
  superuserPassword: z.string().min(1),
  applicationPassword: z.string().min(1),
  /** True once the cluster exists: a missing cluster is then data loss, not a first start. */
  initialized: z.boolean(),
});

/** The location and passwords of the cluster of a data folder. */
export type Identity = z.infer<typeof identityFile> & { dataDir: string };

export function identityPath(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

export async function readIdentity(dataDir: string): Promise<Identity | undefined> {
  const file = identityPath(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw explainFileError(error, file);
  }
  try {
    const folder = await realpath(dataDir);
    const content = identityFile.parse(JSON.parse(text));
    return { ...content, dataDir, location: resolve(folder, content.location) };
  } catch (cause) {
    throw new EmbeddedStartError(`${file} is damaged. Restore it from a backup.`, { cause });
  }
}

/** Reads the identity of a data folder, or creates both on the first start. */
export async function openIdentity(dataDir: string, log: EmbeddedLog): Promise<Identity> {
  try {
    await makeDataFolder(dataDir);
    return (await readIdentity(dataDir)) ?? (await makeIdentity(dataDir, log));
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
}

async function makeIdentity(dataDir: string, log: EmbeddedLog): Promise<Identity> {
  const hasCluster = await exists(join(dataDir, 'postgres', 'PG_VERSION'));
  const content = {
    location: await chooseLocation(dataDir, log),
    superuserPassword: randomBytes(32).toString('base64url'),
    applicationPassword: randomBytes(32).toString('base64url'),
    initialized: false,
  };
  if (!hasCluster) await writePrivateFile(identityPath(dataDir), serialize(content), 'keep');
  // With two concurrent first starts the first write wins, and both use its passwords.
  const identity = await readIdentity(dataDir);
  if (identity) return identity;
  throw new EmbeddedStartError(
    `${join(dataDir, 'postgres')} holds a database, but ${identityPath(dataDir)} with its password is missing. ` +
      'Restore that file from a backup.',
  );
}

/** A folder name, or an absolute path if the system user cannot reach the data folder. */
async function chooseLocation(dataDir: string, log: EmbeddedLog): Promise<string> {
  if (!runsAsRoot()) return 'postgres';
  const account = await systemAccount();
  const probe = await mkdtemp(unfinishedPrefix(join(dataDir, 'postgres')));
  try {
    await chown(probe, account.uid, account.gid);
    if (await canUseFolder(account, probe)) return 'postgres';
  } catch (error) {
    // Some file systems have no owners, so the system user cannot own a folder there.
    if (errorCode(error) !== 'EPERM') throw error;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
  await makeSystemFolder();
  const location = join(systemFolder, randomBytes(8).toString('hex'));
  log.warn(
    { dataDir, location },
    "PostgreSQL's system user cannot reach the data folder, so the database is stored in another folder",
  );
  return location;
}

/** Records that the cluster was made. */
export async function markInitialized(identity: Identity): Promise<void> {
  const file = identityPath(identity.dataDir);
  try {
    const content = identityFile.parse(JSON.parse(await readFile(file, 'utf8')));
    await writePrivateFile(file, serialize({ ...content, initialized: true }), 'replace');
  } catch (error) {
    throw explainFileError(error, file);
  }
}

function serialize(content: z.infer<typeof identityFile>): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
