import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedStartError, errorText } from './errors.ts';

/** The user PostgreSQL runs as; undefined means: the same as this process. */
export type Account = { uid: number; gid: number };

/** A place outside home folders, for what a system user must be able to reach. */
export const SYSTEM_FOLDER = '/var/lib/customer-database';
const SYSTEM_USER = 'customer-database';

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

export type Outcome = { succeeded: boolean; stdout: string; stderr: string };

/** Runs a program to its end. It gets none of this server's environment, which holds secrets. */
export function runAs(account: Account | undefined, file: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: '/', env: BARE_ENVIRONMENT, timeout: 120_000, ...account };
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ succeeded: error === null, stdout, stderr: stderr || (error ? errorText(error) : '') }),
    );
  });
}

/** English messages, so that their meaning can be recognised, and just enough to find programs. */
export const BARE_ENVIRONMENT = {
  LC_ALL: 'C',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

/** PostgreSQL refuses to run as root, so it gets a system user of its own there. */
export async function systemAccount(): Promise<Account> {
  if (process.platform !== 'linux') {
    throw new EmbeddedStartError('PostgreSQL does not run as root. Start the server as an ordinary user.');
  }
  const known = await lookUp();
  if (known) return known;
  const problem = await createSystemUser();
  // A server that starts at the same moment may be the one who creates it, and holds the user list meanwhile.
  for (let attempt = 0; attempt < 20; attempt++) {
    const created = await lookUp();
    if (created) return created;
    await sleep(100);
  }
  throw new EmbeddedStartError(
    `PostgreSQL does not run as root, and its system user could not be created (${problem}). ` +
      `Create it with: useradd ${USERADD_ARGUMENTS.join(' ')} – or start the server as an ordinary user.`,
  );
}

async function lookUp(): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((what) => runAs(undefined, 'id', [what, SYSTEM_USER])),
  );
  if (!uid?.succeeded || !gid?.succeeded) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

const USERADD_ARGUMENTS = [
  ...['--system', '--user-group', '--no-create-home', '--home-dir', SYSTEM_FOLDER],
  ...['--shell', '/usr/sbin/nologin', SYSTEM_USER],
];

async function createSystemUser(): Promise<string> {
  const useradd = await runAs(undefined, 'useradd', USERADD_ARGUMENTS);
  if (useradd.succeeded) return '';
  await runAs(undefined, 'addgroup', ['-S', SYSTEM_USER]);
  await runAs(undefined, 'adduser', [
    ...['-S', '-D', '-H', '-h', SYSTEM_FOLDER, '-s', '/sbin/nologin', '-G', SYSTEM_USER, SYSTEM_USER],
  ]);
  return useradd.stderr.trim();
}

/** Whoever owns an existing cluster runs it: PostgreSQL accepts no one else. */
export async function ownerOf(clusterFolder: string): Promise<Account | undefined> {
  if (!runsAsRoot()) return undefined;
  const { uid, gid } = await stat(clusterFolder);
  if (uid !== 0) return { uid, gid };
  throw new EmbeddedStartError(
    `The database folder ${clusterFolder} belongs to root, and PostgreSQL does not run as root. ` +
      `Hand it over with: chown -R ${SYSTEM_USER}: ${clusterFolder}`,
  );
}

/** Really tries, because modes alone do not tell (access lists, mounts, security modules). */
export async function canUseFolder(account: Account | undefined, folder: string): Promise<boolean> {
  const { succeeded } = await runAs(account, 'sh', ['-c', 'cd "$1" && test -w .', 'sh', folder]);
  return succeeded;
}
