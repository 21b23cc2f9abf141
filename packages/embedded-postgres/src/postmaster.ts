import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BARE_ENVIRONMENT } from './account.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedStartError, explainFileError, noSpaceText } from './errors.ts';
import { type EmbeddedLog, linesSince, sizeOf } from './log.ts';
import { readPidFile } from './pidfile.ts';
import { postgresSettings } from './settings.ts';

/** PostgreSQL's main process, a child of ours. */
export type Postmaster = {
  port: number;
  /** Settles with how it ended, asked to or not. */
  ended: Promise<string>;
  hasEnded(): boolean;
  /** In good order: connections are ended and everything is written out. */
  stop(): Promise<void>;
  /** At once. Nothing committed is lost, but the next start has to repair; during a repair nothing else works. */
  abort(): Promise<void>;
};

/** Reasons to try again, and how they show. They come from PostgreSQL's own guards against two servers on one cluster. */
const OBSTACLES = {
  'port taken': 'Address already in use',
  'pid file exists': 'lock file "postmaster.pid" already exists',
  'pid file empty': 'lock file "postmaster.pid" is empty',
  'memory in use': 'pre-existing shared memory block',
} as const;
type Obstacle = keyof typeof OBSTACLES | 'no answer';

export class PostmasterObstacle extends EmbeddedStartError {
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle, text: string) {
    super(text);
    this.obstacle = obstacle;
  }
}

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
    await untilReady(cluster, child, postmaster, log, signal);
  } catch (error) {
    await postmaster.abort();
    throw error;
  }
  if (!postmaster.hasEnded()) return postmaster;
  throw await explainEnd(cluster, child.pid, await postmaster.ended, logSize);
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
      // After a restart of a container the same few process numbers come again; PostgreSQL
      // ignores an old pid file that names its parent or, by this variable, its grandparent.
      env: { ...BARE_ENVIRONMENT, PG_GRANDPARENT_PID: String(process.ppid) },
      stdio: ['ignore', output.fd, output.fd],
      // Its own session: Ctrl-C in the terminal must not stop it before the server has finished its requests.
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
  // A server that ends without stop() takes PostgreSQL along; only a kill -9 leaves it behind.
  const stopAlong = () => void child.kill('SIGINT');
  process.once('exit', stopAlong);
  // A signal that could not be sent; whether the process has ended is seen below.
  child.on('error', () => undefined);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<void>((resolve) => {
    // One that cannot start may have exited before we could listen.
    if (hasEnded()) resolve();
    else child.once('exit', () => resolve());
  });
  const ended = exited.then(() => {
    process.off('exit', stopAlong);
    return child.signalCode ?? `exit code ${child.exitCode}`;
  });
  const endBy = async (signals: NodeJS.Signals[]) => {
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
    stop: () => endBy(['SIGINT', 'SIGQUIT', 'SIGKILL']),
    abort: () => endBy(['SIGQUIT', 'SIGKILL']),
  };
}

async function untilReady(
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

async function explainEnd(
  cluster: Cluster,
  pid: number | undefined,
  end: string,
  logSize: number,
): Promise<Error> {
  const { logFile, identity } = cluster;
  // What clients were told meanwhile is no reason.
  const lines = (await linesSince(logFile, logSize)).filter((line) => !/the database system is /.test(line));
  const own = lines.filter((line) => line.includes(`[${pid}]`)).join('\n');
  const last = lines.slice(-5).map((line) => line.replace(/^.* UTC \[\d+\] /, ''));
  const text = `PostgreSQL could not start (${end}):\n  ${last.join('\n  ')}\nIts log is ${logFile}.`;
  const obstacle = (Object.keys(OBSTACLES) as (keyof typeof OBSTACLES)[]).find((name) =>
    own.includes(OBSTACLES[name]),
  );
  if (obstacle) return new PostmasterObstacle(obstacle, text);
  const full = lines.some((line) => line.includes('No space left on device'));
  return new EmbeddedStartError(full ? `${noSpaceText(identity.location)}\n${text}` : text);
}
