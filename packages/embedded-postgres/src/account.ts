import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedStartError, errorText } from './errors.ts';

/** The user PostgreSQL runs as; undefined means the user of this process. */
export type Account = { uid: number; gid: number };

/** Outside of home folders, which the system user cannot enter. */
export const systemFolder = '/var/lib/customer-database';
const systemUser = 'customer-database';

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

export type Outcome = { succeeded: boolean; stdout: string; stderr: string };

/** Runs a program to completion. It does not inherit the environment, which holds secrets. */
export function runAs(account: Account | undefined, file: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: '/', env: bareEnvironment, timeout: 120_000, ...account };
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ succeeded: error === null, stdout, stderr: stderr || (error ? errorText(error) : '') }),
    );
  });
}

/** Programs print English messages, which can be parsed. */
export const bareEnvironment = {
  LC_ALL: 'C',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

/** The system user that runs PostgreSQL, which refuses to run as root. */
export async function systemAccount(): Promise<Account> {
  if (process.platform !== 'linux') {
    throw new EmbeddedStartError('PostgreSQL does not run as root. Start the server as an ordinary user.');
  }
  const known = await lookUpAccount();
  if (known) return known;
  const { stderr } = await runAs(undefined, 'useradd', useraddArguments);
  // Another server may be creating it at the same moment and hold the lock on the user list.
  for (let attempt = 0; attempt < 20; attempt++) {
    const created = await lookUpAccount();
    if (created) return created;
    await sleep(100);
  }
  throw new EmbeddedStartError(
    `PostgreSQL does not run as root, and its system user could not be created (${stderr.trim()}). ` +
      `Create it with: useradd ${useraddArguments.join(' ')} – or start the server as an ordinary user.`,
  );
}

async function lookUpAccount(): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((what) => runAs(undefined, 'id', [what, systemUser])),
  );
  if (!uid?.succeeded || !gid?.succeeded) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

const useraddArguments = [
  ...['--system', '--user-group', '--no-create-home', '--home-dir', systemFolder],
  ...['--shell', '/usr/sbin/nologin', systemUser],
];

/** An existing cluster must be run by its owner: PostgreSQL accepts no other user. */
export async function ownerOf(clusterFolder: string): Promise<Account | undefined> {
  if (!runsAsRoot()) return undefined;
  const { uid, gid } = await stat(clusterFolder);
  if (uid !== 0) return { uid, gid };
  throw new EmbeddedStartError(
    `The database folder ${clusterFolder} belongs to root, and PostgreSQL does not run as root. ` +
      `Change its owner with: chown -R ${systemUser}: ${clusterFolder}`,
  );
}

/** Tests real access, because file modes are not enough (ACLs, mounts, security modules). */
export async function canUseFolder(account: Account | undefined, folder: string): Promise<boolean> {
  const { succeeded } = await runAs(account, 'sh', ['-c', 'cd "$1" && test -w .', 'sh', folder]);
  return succeeded;
}
