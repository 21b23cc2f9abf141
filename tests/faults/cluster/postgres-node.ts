import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '@customer-database/testkit/debian-postgres';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { childrenOf } from '@customer-database/testkit/processes';
import { signalAll } from '../harness/postgres.ts';

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export type Node = {
  folder: string;
  port: number;
  /** Runs one of its programs as its user. */
  runProgram(name: string, args: string[], env?: Record<string, string>): Promise<void>;
  /** Creates an empty folder owned by its user. */
  makeFolder(): Promise<void>;
  start(): void;
  /** Signals all its processes. */
  signal(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void>;
  stop(): Promise<void>;
};

/** Represents a machine with PostgreSQL by a folder and a port. */
export function createNode(folder: string, port: number): Node {
  const programs = findPostgres();
  const user = postgresUser();
  let child: ChildProcess | undefined;
  let cancelCleanup = () => {};
  const hasExited = () => !child || child.exitCode !== null || child.signalCode !== null;

  async function signal(name: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    const others = await childrenOf(child?.pid ?? 0).catch(() => []);
    child?.kill(name);
    signalAll(others, name);
    if (name === 'SIGKILL' && child && !hasExited()) await once(child, 'exit');
    if (name === 'SIGKILL') cancelCleanup();
  }

  return {
    folder,
    port,
    signal,
    async runProgram(name, args, env = {}) {
      await promisify(execFile)(join(programs, name), args, {
        ...user,
        cwd: '/',
        env: { LANG: 'C.UTF-8', ...env },
      });
    },
    async makeFolder() {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
      if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
    },
    start() {
      const log = createWriteStream(`${folder}.log`, { flags: 'a' });
      const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100'];
      const options = settings.flatMap((setting) => ['-c', setting]);
      const started = spawn(join(programs, 'postgres'), ['-D', folder, '-p', String(port), ...options], {
        ...user,
        cwd: '/',
        env: { LANG: 'C.UTF-8' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.stdout.pipe(log);
      started.stderr.pipe(log);
      child = started;
      // SIGQUIT ends all connections at once; SIGKILL would leave shared memory behind.
      cancelCleanup = cleanUpAtExit(() => started.kill('SIGQUIT'));
    },
    async stop() {
      if (!child || hasExited()) return;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      cancelCleanup();
    },
  };
}
