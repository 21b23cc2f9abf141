import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Cluster, openCluster } from './cluster.ts';
import { DataFolderInUseError, errorText } from './errors.ts';
import { openIdentity, readIdentity } from './identity.ts';
import { connectAsSuperuser, isLocked } from './lock.ts';
import { type EmbeddedLog, rotateLogFile } from './log.ts';
import { findPostmaster } from './pidfile.ts';
import { applicationUrl, openSession, type Session } from './session.ts';

export type UnexpectedExit = {
  reason: string;
  /** False if it stays down, because another server has taken the data folder. */
  restarting: boolean;
};

export type EmbeddedDatabase = {
  url: string;
  /** The folder that holds the database. */
  location: string;
  stop(): Promise<void>;
  /** Called when PostgreSQL exits unexpectedly. It is restarted under the same URL. */
  onExit(listener: (end: UnexpectedExit) => void): void;
};

/** Runs the bundled PostgreSQL on the cluster of the data folder until `stop` is called. */
export async function startEmbedded(options: {
  dataDir: string;
  log: EmbeddedLog;
}): Promise<EmbeddedDatabase> {
  const { log } = options;
  const identity = await openIdentity(resolve(options.dataDir), log);
  const cluster = await openCluster(identity, log);
  const stopping = new AbortController();
  const session = await openSession(cluster, log, stopping.signal);
  log.info({ location: identity.location, port: session.postmaster.port }, 'PostgreSQL is running');

  const listeners: ((end: UnexpectedExit) => void)[] = [];
  const notify = (end: UnexpectedExit) => {
    for (const listener of listeners) listener(end);
  };
  const supervision = supervise(cluster, session, log, stopping.signal, notify);
  const logRotation = setInterval(
    () => rotateLogFile(cluster.logFile).catch(() => undefined),
    3_600_000,
  ).unref();

  return {
    url: applicationUrl(identity, session.postmaster.port),
    location: identity.location,
    async stop() {
      clearInterval(logRotation);
      stopping.abort();
      await supervision;
    },
    onExit(listener) {
      listeners.push(listener);
    },
  };
}

/** Restarts PostgreSQL until `stop` is called or another server owns the data folder. */
async function supervise(
  cluster: Cluster,
  first: Session,
  log: EmbeddedLog,
  signal: AbortSignal,
  notify: (end: UnexpectedExit) => void,
): Promise<void> {
  const stopped = new Promise<'stopped'>((done) => signal.addEventListener('abort', () => done('stopped')));
  const { port } = first.postmaster;
  let session: Session | undefined = first;
  for (let failures = 0; session; ) {
    const startedAt = Date.now();
    const end = await Promise.race([session.postmaster.ended, stopped]);
    session.lock.release();
    if (signal.aborted) return await session.postmaster.stop();
    failures = Date.now() - startedAt > 60_000 ? 0 : failures + 1;
    log.error({ reason: end }, 'PostgreSQL exited unexpectedly and is restarted');
    notify({ reason: end, restarting: true });
    session = await restart(cluster, port, failures, log, signal, notify);
  }
}

async function restart(
  cluster: Cluster,
  port: number,
  failuresBefore: number,
  log: EmbeddedLog,
  signal: AbortSignal,
  notify: (end: UnexpectedExit) => void,
): Promise<Session | undefined> {
  for (let failures = failuresBefore; !signal.aborted; failures++) {
    try {
      // Immediately the first time, then after 0.5, 1, 2 … 30 seconds.
      if (failures > 1) await sleep(Math.min(250 * 2 ** (failures - 1), 30_000), undefined, { signal });
      const session = await openSession(cluster, log, signal, port);
      log.info({ port }, 'PostgreSQL is running again');
      return session;
    } catch (error) {
      if (signal.aborted) return undefined;
      log.error({ reason: errorText(error) }, 'PostgreSQL could not be restarted');
      if (!(error instanceof DataFolderInUseError)) continue;
      notify({ reason: error.message, restarting: false });
      return undefined;
    }
  }
  return undefined;
}

/** The URL of the embedded database of a running server, or undefined if none runs. */
export async function findRunningEmbedded(dataDir: string): Promise<string | undefined> {
  const identity = await readIdentity(resolve(dataDir));
  const running = identity && (await findPostmaster(identity.location));
  if (!running) return undefined;
  let client: Client | undefined;
  try {
    client = await connectAsSuperuser(identity, running.port);
    return (await isLocked(client)) ? applicationUrl(identity, running.port) : undefined;
  } catch {
    // PostgreSQL is starting or stopping.
    return undefined;
  } finally {
    client?.end().catch(() => undefined);
  }
}
