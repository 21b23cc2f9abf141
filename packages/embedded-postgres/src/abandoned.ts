import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  DataFolderInUseError,
  EmbeddedStartError,
  errorCode,
  errorText,
  RetryableStartError,
} from './errors.ts';
import { type Identity, identityPath } from './identity.ts';
import { connectAsSuperuser, isWrongPassword, startedByPid, tryLock, unlock } from './lock.ts';
import type { EmbeddedLog } from './log.ts';
import { findPostmaster, isAlive, type PidFile, servesCluster } from './pidfile.ts';

/*
 * A server that is killed (kill -9, out of memory) leaves its PostgreSQL running. The next server on the same data
 * folder stops that PostgreSQL, but never one whose server is alive: a live server holds a lock in its PostgreSQL,
 * and the lock ends with the server.
 */

/** A live server locks its PostgreSQL within this time after starting it. */
const lockTimeoutMs = 2000;
/** How long PostgreSQL may take to stop before it gets the next signal. */
const stopTimeoutMs = 10_000;

/** Throws DataFolderInUseError if a live server owns PostgreSQL, RetryableStartError if PostgreSQL does not answer yet. */
export async function stopAbandonedPostgres(identity: Identity, log: EmbeddedLog): Promise<void> {
  const running = await findPostmaster(identity.location);
  if (!running) return;
  const client = await connectTo(running, identity);
  try {
    const isAbandoned = await lockIfAbandoned(client).catch((cause: unknown) => {
      throw notAnswering(running, identity, cause);
    });
    if (!isAbandoned) throw new DataFolderInUseError(identity.dataDir);
    log.warn({ pid: running.pid }, 'Stopping a PostgreSQL that a killed server left running');
    await stopPostmaster(running.pid, identity.location);
  } finally {
    client.end().catch(() => undefined);
  }
}

async function connectTo(running: PidFile, identity: Identity): Promise<Client> {
  try {
    return await connectAsSuperuser(identity, running.port);
  } catch (cause) {
    if (!isWrongPassword(cause)) throw notAnswering(running, identity, cause);
    throw new EmbeddedStartError(
      `A PostgreSQL server runs on ${identity.location} (process ${running.pid}) but does not accept the password in ` +
        `${identityPath(identity.dataDir)}. Restore that file from a backup, or stop the process.`,
      { cause },
    );
  }
}

/** It is starting, recovering from a crash, or being stopped by another server. */
function notAnswering({ pid }: PidFile, { location }: Identity, cause: unknown): RetryableStartError {
  const text = `A PostgreSQL server (process ${pid}) runs on ${location} and does not answer. Stop it and start again.`;
  return new RetryableStartError('no answer', text, { cause });
}

/** Keeps the lock if the server is gone, so that no other server takes this PostgreSQL for its own. */
async function lockIfAbandoned(client: Client): Promise<boolean> {
  const deadline = Date.now() + lockTimeoutMs;
  while (await tryLock(client)) {
    const isServerAlive = await isAlive(await startedByPid(client));
    // After the deadline that process is another one with the same pid.
    if (!isServerAlive || Date.now() > deadline) return true;
    // The server has just started this PostgreSQL and is about to lock it.
    await unlock(client);
    await sleep(100);
  }
  return false;
}

async function stopPostmaster(pid: number, location: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw new EmbeddedStartError(`PostgreSQL (process ${pid}) cannot be stopped: ${errorText(error)}`);
    }
    const deadline = Date.now() + stopTimeoutMs;
    while (Date.now() < deadline) {
      if (!(await servesCluster(pid, location))) return;
      await sleep(20);
    }
  }
  throw new EmbeddedStartError(
    `A PostgreSQL that a killed server left behind (process ${pid}) does not stop. End it with: kill -9 ${pid}`,
  );
}
