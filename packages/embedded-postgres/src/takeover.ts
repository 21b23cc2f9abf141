import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { DataFolderInUseError, EmbeddedStartError, errorCode, errorText } from './errors.ts';
import { type Identity, identityPath } from './identity.ts';
import { connectAsSuperuser, isWrongPassword, ownerProcess, tryLock, unlock } from './lock.ts';
import type { EmbeddedLog } from './log.ts';
import { isAlive, readPidFile, servesCluster } from './pidfile.ts';

/** How long a live server may take to lock the PostgreSQL it has just started. */
const claimTimeoutMs = 2000;

/**
 * Ensures that no PostgreSQL runs on the cluster. Stops one that a killed server left behind; throws
 * DataFolderInUseError if a running server holds it.
 * Returns false if one is there that cannot be queried or stopped yet.
 */
export async function ensureNotRunning(identity: Identity, log: EmbeddedLog): Promise<boolean> {
  const { location } = identity;
  const file = await readPidFile(location);
  if (!file || !(await servesCluster(file.pid, location))) return true;

  let client: Client;
  try {
    client = await connectAsSuperuser(identity, file.port);
  } catch (error) {
    if (!isWrongPassword(error)) return false;
    throw new EmbeddedStartError(
      `A PostgreSQL server runs on ${location} (process ${file.pid}) but does not accept the password in ` +
        `${identityPath(identity.dataDir)}. Restore that file from a backup, or stop the process.`,
      { cause: error },
    );
  }
  try {
    if (!(await claimAbandoned(client, identity))) return false;
    log.warn(
      { pid: file.pid },
      'A PostgreSQL was left running by a server that was killed; it is started anew',
    );
    await stopAbandoned(file.pid, location);
    return true;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Takes the lock of a PostgreSQL whose server is gone. Throws if its server is alive. */
async function claimAbandoned(client: Client, identity: Identity): Promise<boolean> {
  const deadline = Date.now() + claimTimeoutMs;
  try {
    while (await tryLock(client)) {
      // Its server may have just started it and be about to take the lock.
      if (!(await isAlive(await ownerProcess(client))) || Date.now() > deadline) return true;
      await unlock(client);
      await sleep(100);
    }
  } catch {
    // It is being stopped, by its server or by another one that starts.
    return false;
  }
  throw new DataFolderInUseError(identity.dataDir);
}

async function stopAbandoned(pid: number, location: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw new EmbeddedStartError(`PostgreSQL (process ${pid}) cannot be stopped: ${errorText(error)}`);
    }
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      if (!(await servesCluster(pid, location))) return;
      await sleep(20);
    }
  }
  throw new EmbeddedStartError(
    `A PostgreSQL that a killed server left behind (process ${pid}) does not stop. End it with: kill -9 ${pid}`,
  );
}
