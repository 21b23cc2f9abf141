import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from './account.ts';
import type { Cluster } from './cluster.ts';
import {
  EmbeddedStartError,
  explainFileError,
  noSpaceText,
  RetryableStartError,
  type RetryReason,
} from './errors.ts';
import { type EmbeddedLog, linesSince, sizeOf } from './log.ts';
import { readPidFile } from './pidfile.ts';
import { postgresSettings } from './settings.ts';

/** PostgreSQL's main process, a child of this one. */
export type Postmaster = {
  port: number;
  /** Resolves with the exit code or signal, whether its end was requested or not. */
  ended: Promise<string>;
  hasEnded(): boolean;
  /** Clean shutdown: closes connections and flushes everything. */
  stop(): Promise<void>;
  /** Immediate shutdown: keeps committed data, but the next start needs recovery. Works during recovery too. */
  abort(): Promise<void>;
};

/** What PostgreSQL logs when it refuses to start for a reason that may pass. */
const retryMessages: [RetryReason, string][] = [
  ['port taken', 'Address already in use'],
  ['pid file exists', 'lock file "postmaster.pid" already exists'],
  ['pid file empty', 'lock file "postmaster.pid" is empty'],
  ['memory in use', 'pre-existing shared memory block'],
];

/** Starts PostgreSQL and waits until it accepts connections. */
export async function launchPostmaster(
  cluster: Cluster,
  port: number,
  log: EmbeddedLog,
  signal: AbortSignal,
): Promise<Postmaster> {
  const logSize = await sizeOf(cluster.logFile);
  const child = await spawnPostgres(cluster, port);
  const postmaster = watch(child, port);
  try {
    await waitUntilReady(cluster, child, postmaster, log, signal);
  } catch (error) {
    await postmaster.abort();
    throw error;
  }
  if (!postmaster.hasEnded()) return postmaster;
  throw await explainExit(cluster, child.pid, await postmaster.ended, logSize);
}

async function spawnPostgres(cluster: Cluster, port: number): Promise<ChildProcess> {
  const { binaries, identity, account, logFile } = cluster;
  const output = await open(logFile, 'a', 0o600).catch((error: unknown) => {
    throw explainFileError(error, logFile);
  });
  try {
    const child = spawn(binaries.postgres, ['-D', identity.location, ...postgresSettings(port)], {
      ...account,
      cwd: '/',
      // A restarted container reuses the same few pids; PostgreSQL ignores an old pid file that
      // names its parent or, by this variable, its grandparent.
      env: { ...bareEnvironment, PG_GRANDPARENT_PID: String(process.ppid) },
      stdio: ['ignore', output.fd, output.fd],
      // In a separate session: Ctrl-C must not stop it before the server has finished its requests.
      detached: true,
    });
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw new EmbeddedStartError(`PostgreSQL could not be started: ${cause}`, { cause });
  } finally {
    await output.close();
  }
}

function watch(child: ChildProcess, port: number): Postmaster {
  // Stops PostgreSQL even if the server exits without stop(); only a kill -9 leaves it behind.
  const stopChild = () => void child.kill('SIGINT');
  process.once('exit', stopChild);
  // 'error' says that a signal could not be sent; 'exit' follows anyway.
  child.on('error', () => undefined);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<void>((resolve) => {
    // A failed start may have exited before we could listen.
    if (hasEnded()) resolve();
    else child.once('exit', () => resolve());
  });
  const ended = exited.then(() => {
    process.off('exit', stopChild);
    return child.signalCode ?? `exit code ${child.exitCode}`;
  });
  const stopWith = async (signals: NodeJS.Signals[]) => {
    for (const signal of signals) {
      if (hasEnded()) return;
      child.kill(signal);
      await Promise.race([ended, sleep(10_000, undefined, { ref: false })]);
    }
    await ended;
  };
  return {
    port,
    ended,
    hasEnded,
    stop: () => stopWith(['SIGINT', 'SIGQUIT', 'SIGKILL']),
    abort: () => stopWith(['SIGQUIT', 'SIGKILL']),
  };
}

async function waitUntilReady(
  cluster: Cluster,
  child: ChildProcess,
  postmaster: Postmaster,
  log: EmbeddedLog,
  signal: AbortSignal,
): Promise<void> {
  const { location } = cluster.identity;
  for (let waited = 0; !postmaster.hasEnded(); waited++) {
    const file = await readPidFile(location);
    if (file?.pid === child.pid && file?.status === 'ready') return;
    if (waited > 0 && waited % 500 === 0) {
      log.warn(
        { logFile: cluster.logFile },
        'PostgreSQL is still starting; after a crash it repairs itself first',
      );
    }
    await sleep(20, undefined, { signal });
  }
}

async function explainExit(
  cluster: Cluster,
  pid: number | undefined,
  end: string,
  logSize: number,
): Promise<Error> {
  const { logFile, identity } = cluster;
  // Messages to clients are not the cause.
  const lines = (await linesSince(logFile, logSize)).filter((line) => !/the database system is /.test(line));
  const ownLines = lines.filter((line) => line.includes(`[${pid}]`)).join('\n');
  const last = lines.slice(-5).map((line) => line.replace(/^.* UTC \[\d+\] /, ''));
  const text = `PostgreSQL could not start (${end}):\n  ${last.join('\n  ')}\nIts log is ${logFile}.`;
  const [reason] = retryMessages.find(([, message]) => ownLines.includes(message)) ?? [];
  if (reason) return new RetryableStartError(reason, text);
  const isDiskFull = lines.some((line) => line.includes('No space left on device'));
  return new EmbeddedStartError(isDiskFull ? `${noSpaceText(identity.location)}\n${text}` : text);
}
