import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeLiteral } from 'pg';
import { type Cluster, removeUnfinished } from './cluster.ts';
import { DataFolderInUseError, EmbeddedStartError, errorText } from './errors.ts';
import { type Identity, markInitialized } from './identity.ts';
import { connectAsSuperuser, type HeldLock, holdLock, isTimeout } from './lock.ts';
import { type EmbeddedLog, rotateLogFile } from './log.ts';
import { readPidFile, removePidFile, servesCluster } from './pidfile.ts';
import { launchPostmaster, type Postmaster, PostmasterObstacle } from './postmaster.ts';
import { clearTheWay } from './takeover.ts';

/** A running PostgreSQL that is ours alone. */
export type Session = { postmaster: Postmaster; lock: HeldLock };

/** The application's role: it owns its database and may do nothing to the rest of PostgreSQL or the machine. */
const APPLICATION = 'customer_database';

/** How long to wait for processes of an earlier PostgreSQL to go away. */
const PATIENCE = 60_000;

export function applicationUrl(identity: Identity, port: number): string {
  return `postgres://${APPLICATION}:${identity.applicationPassword}@127.0.0.1:${port}/${APPLICATION}`;
}

/** Starts PostgreSQL, on the given port or on a free one, and takes the lock that makes it ours. */
export async function openSession(
  cluster: Cluster,
  log: EmbeddedLog,
  signal: AbortSignal,
  fixedPort?: number,
): Promise<Session> {
  const { identity } = cluster;
  await rotateLogFile(cluster.logFile).catch(() => undefined);
  const giveUpAt = Date.now() + PATIENCE;
  while (true) {
    const late = Date.now() > giveUpAt;
    try {
      if (!(await clearTheWay(identity, log))) throw await unanswered(identity);
      const postmaster = await launchPostmaster(cluster, fixedPort ?? (await findFreePort()), log, signal);
      const lock = await claim(cluster, postmaster, log);
      if (lock) return { postmaster, lock };
    } catch (error) {
      if (late || !(error instanceof PostmasterObstacle)) throw error;
      if (error.obstacle === 'port taken' && fixedPort !== undefined) throw error;
      if (error.obstacle.startsWith('pid file')) await removeStalePidFile(identity.location, signal);
    }
    await sleep(100, undefined, { signal });
  }
}

async function unanswered({ location }: Identity): Promise<PostmasterObstacle> {
  const pid = (await readPidFile(location))?.pid;
  return new PostmasterObstacle(
    'no answer',
    `A PostgreSQL server (process ${pid}) runs on ${location} and does not answer. Stop it and start again.`,
  );
}

/** Undefined when PostgreSQL was stopped under our hands, by another server that started at the same moment. */
async function claim(
  cluster: Cluster,
  postmaster: Postmaster,
  log: EmbeddedLog,
): Promise<HeldLock | undefined> {
  let lock: HeldLock | undefined;
  try {
    lock = await holdLock(cluster.identity, postmaster.port, log);
    await prepareDatabase(cluster.identity, postmaster.port);
    await removeUnfinished(cluster.identity);
    if (!cluster.identity.initialized) await markInitialized(cluster.identity);
    return lock;
  } catch (error) {
    lock?.release();
    // A moment for the news of its end, which may come after the loss of the connection.
    await Promise.race([postmaster.ended, sleep(500)]);
    if (postmaster.hasEnded()) return undefined;
    await postmaster.stop();
    if (isTimeout(error)) throw new DataFolderInUseError(cluster.identity.dataDir);
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
      [APPLICATION],
    );
    const password = escapeLiteral(identity.applicationPassword);
    if (!rows[0]?.role) await client.query(`create role ${APPLICATION} login createdb password ${password}`);
    if (!rows[0]?.database) await client.query(`create database ${APPLICATION} owner ${APPLICATION}`);
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * After a crash of the machine the old pid file may name a process that now is someone else, or be empty.
 * PostgreSQL does not dare to remove it then; we can tell, because we know what its command line looks like.
 */
async function removeStalePidFile(location: string, signal: AbortSignal): Promise<void> {
  const file = await readPidFile(location);
  if (!file || (await servesCluster(file.pid, location))) return;
  // A PostgreSQL that is just starting writes its number in an instant.
  await sleep(1000, undefined, { signal });
  await removePidFile(location, file);
}

async function findFreePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause) => {
      const text = `No free port was found on 127.0.0.1 (${cause.message}). Close other programs and start again.`;
      reject(new EmbeddedStartError(text, { cause }));
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      server.close(() => (port === undefined ? reject(new Error('No port was given')) : resolve(port)));
    });
  });
}
