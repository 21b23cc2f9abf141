import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeLiteral } from 'pg';
import { stopAbandonedPostgres } from './abandoned.ts';
import { type Cluster, removeUnfinished } from './cluster.ts';
import { DataFolderInUseError, EmbeddedStartError, errorText, RetryableStartError } from './errors.ts';
import { type Identity, markInitialized } from './identity.ts';
import { connectAsSuperuser, type HeldLock, holdLock, isLockTimeout } from './lock.ts';
import { type EmbeddedLog, rotateLogFile } from './log.ts';
import { readPidFile, removePidFile, servesCluster } from './pidfile.ts';
import { launchPostmaster, type Postmaster } from './postmaster.ts';

/** A running PostgreSQL, and the lock that makes this process its owner. */
export type Session = { postmaster: Postmaster; lock: HeldLock };

/** The application's role and database. The role has no rights on the rest of PostgreSQL or the machine. */
const application = 'customer_database';

/** How long to retry while processes of an earlier PostgreSQL exit. */
const startTimeoutMs = 60_000;

export function applicationUrl(identity: Identity, port: number): string {
  return `postgres://${application}:${identity.applicationPassword}@127.0.0.1:${port}/${application}`;
}

/** Starts PostgreSQL on the given or a free port, and takes the lock. */
export async function openSession(
  cluster: Cluster,
  log: EmbeddedLog,
  signal: AbortSignal,
  fixedPort?: number,
): Promise<Session> {
  const { identity, logFile } = cluster;
  await rotateLogFile(logFile).catch(() => undefined);
  const deadline = Date.now() + startTimeoutMs;
  while (true) {
    const isLastAttempt = Date.now() > deadline;
    try {
      await stopAbandonedPostgres(identity, log);
      const postmaster = await launchPostmaster(cluster, fixedPort ?? (await findFreePort()), log, signal);
      const lock = await lockAndPrepare(cluster, postmaster, log);
      if (lock) return { postmaster, lock };
    } catch (error) {
      if (isLastAttempt || !(error instanceof RetryableStartError)) throw error;
      if (error.reason === 'port taken' && fixedPort !== undefined) throw error;
      if (error.reason.startsWith('pid file')) await removeStalePidFile(identity.location, signal);
    }
    await sleep(100, undefined, { signal });
  }
}

/** Undefined if another server that started at the same moment stopped this PostgreSQL. */
async function lockAndPrepare(
  cluster: Cluster,
  postmaster: Postmaster,
  log: EmbeddedLog,
): Promise<HeldLock | undefined> {
  const { identity } = cluster;
  let lock: HeldLock | undefined;
  try {
    lock = await holdLock(identity, postmaster.port, log);
    await prepareDatabase(identity, postmaster.port);
    await removeUnfinished(identity);
    if (!identity.initialized) await markInitialized(identity);
    return lock;
  } catch (error) {
    lock?.release();
    // The exit event may arrive a moment after the connection is lost.
    await Promise.race([postmaster.ended, sleep(500)]);
    if (postmaster.hasEnded()) return undefined;
    await postmaster.stop();
    if (isLockTimeout(error)) throw new DataFolderInUseError(identity.dataDir);
    const text = `PostgreSQL runs, but the database could not be opened: ${errorText(error)}`;
    throw new EmbeddedStartError(text, { cause: error });
  }
}

async function prepareDatabase(identity: Identity, port: number): Promise<void> {
  const client = await connectAsSuperuser(identity, port);
  try {
    const { rows } = await client.query(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $1) as database`,
      [application],
    );
    const password = escapeLiteral(identity.applicationPassword);
    if (!rows[0]?.role) await client.query(`create role ${application} login createdb password ${password}`);
    if (!rows[0]?.database) await client.query(`create database ${application} owner ${application}`);
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * After a machine crash the pid file may be empty, or another process may have its pid by now. PostgreSQL then keeps
 * the file, because unlike `servesCluster` it does not look at the command line of that process.
 */
async function removeStalePidFile(location: string, signal: AbortSignal): Promise<void> {
  const file = await readPidFile(location);
  if (!file || (await servesCluster(file.pid, location))) return;
  // A PostgreSQL that is just starting fills the file within this time.
  await sleep(1000, undefined, { signal });
  await removePidFile(location, file);
}

async function findFreePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    const text = `No free port was found on 127.0.0.1 (${errorText(cause)}). Close other programs and start again.`;
    throw new EmbeddedStartError(text, { cause });
  });
  return (server.address() as AddressInfo).port;
}
