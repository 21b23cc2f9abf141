import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { DataFolderInUseError, EmbeddedStartError, errorCode, errorText } from './errors.ts';
import { type Identity, identityPath } from './identity.ts';
import { connectAsSuperuser, isWrongPassword, ownerProcess, tryLock, unlock } from './lock.ts';
import type { EmbeddedLog } from './log.ts';
import { isAlive, readPidFile, servesCluster } from './pidfile.ts';

/** How long a server that lives may take to claim the PostgreSQL it has just started. */
const CLAIM_TIME = 2000;

/**
 * Makes sure that no PostgreSQL runs on the cluster any more. One that was left behind by a killed server
 * is stopped; one that a running server holds is left alone and reported as such.
 * Answers false when one is there that can be neither asked nor stopped yet.
 */
export async function clearTheWay(identity: Identity, log: EmbeddedLog): Promise<boolean> {
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

/** Takes the lock of a PostgreSQL whose server is gone. Throws when its server is there. */
async function claimAbandoned(client: Client, identity: Identity): Promise<boolean> {
  const giveUpAt = Date.now() + CLAIM_TIME;
  try {
    while (await tryLock(client)) {
      // Its server may have started it a moment ago and be about to take the lock.
      if (!(await isAlive(await ownerProcess(client))) || Date.now() > giveUpAt) return true;
      await unlock(client);
      await sleep(100);
    }
  } catch {
    // It is being stopped, by its server or by another newcomer.
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
    const giveUpAt = Date.now() + 10_000;
    while (Date.now() < giveUpAt) {
      if (!(await servesCluster(pid, location))) return;
      await sleep(20);
    }
  }
  throw new EmbeddedStartError(
    `A PostgreSQL that a killed server left behind (process ${pid}) does not stop. End it with: kill -9 ${pid}`,
  );
}
