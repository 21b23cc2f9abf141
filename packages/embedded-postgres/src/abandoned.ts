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
 * folder must stop that PostgreSQL before it starts another one, but must never stop the PostgreSQL of a live server.
 *
 * The advisory lock of lock.ts tells them apart. A live server holds it in its PostgreSQL, which releases it when the
 * connection of the server ends, at the latest when the server dies:
 *
 *   the lock is taken                            the server is alive: refuse to start
 *   the lock is free, and the server is dead     the PostgreSQL is abandoned: stop it
 *   the lock is free, and the server is alive    the server has just started its PostgreSQL: wait until it locks it
 */

/** A server takes the lock within this time after it has started its PostgreSQL. */
const lockTimeoutMs = 2000;
/** PostgreSQL gets the next signal when it has not stopped within this time. */
const stopTimeoutMs = 10_000;

/** Throws DataFolderInUseError if a live server owns PostgreSQL, RetryableStartError if PostgreSQL does not answer yet. */
export async function stopAbandonedPostgres(identity: Identity, log: EmbeddedLog): Promise<void> {
  const postmaster = await findPostmaster(identity.location);
  if (!postmaster) return;
  let client: Client | undefined;
  try {
    client = await connectAsSuperuser(identity, postmaster.port);
    await takeLockOfDeadServer(client, identity);
  } catch (cause) {
    client?.end().catch(() => undefined);
    throw explainRefusal(cause, postmaster, identity);
  }
  // This connection keeps the lock, so that no other server stops the same PostgreSQL.
  try {
    log.warn({ pid: postmaster.pid }, 'Stopping a PostgreSQL that a killed server left running');
    await stopPostmaster(postmaster.pid, identity.location);
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Throws DataFolderInUseError if the server that started this PostgreSQL is alive. */
async function takeLockOfDeadServer(client: Client, { dataDir }: Identity): Promise<void> {
  const deadline = Date.now() + lockTimeoutMs;
  while (await tryLock(client)) {
    const isServerAlive = await isAlive(await startedByPid(client));
    // A live process that has not taken the lock in time is another program with the pid of the dead server.
    if (!isServerAlive || Date.now() > deadline) return;
    await unlock(client);
    await sleep(100);
  }
  throw new DataFolderInUseError(dataDir);
}

function explainRefusal(cause: unknown, { pid }: PidFile, { location, dataDir }: Identity): unknown {
  if (cause instanceof DataFolderInUseError) return cause;
  if (isWrongPassword(cause)) {
    return new EmbeddedStartError(
      `A PostgreSQL server runs on ${location} (process ${pid}) but does not accept the password in ` +
        `${identityPath(dataDir)}. Restore that file from a backup, or stop the process.`,
      { cause },
    );
  }
  // It is starting, recovering from a crash, or being stopped by another server.
  const text = `A PostgreSQL server (process ${pid}) runs on ${location} and does not answer. Stop it and start again.`;
  return new RetryableStartError('no answer', text, { cause });
}

/** First asks for a fast shutdown, then for an immediate one. */
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
