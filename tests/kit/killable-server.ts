import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allocation, memory } from '../../scripts/server-memory.js';
import { createLogWriter } from '../../scripts/test-logs.js';
import { baseEnvironment } from './base-environment.ts';
import { cleanUpAtExit } from './exit-cleanup.ts';
import { freePort } from './ports.ts';
import { megabytesOf } from './processes.ts';
import { until } from './until.ts';

const program = fileURLToPath(new URL('../../server/src/start/main.ts', import.meta.url));

export type Exit = { code: number | null; signal: NodeJS.Signals | null; seconds: number };

/** The server as `npm start` runs it, in a process that can be killed and restarted. */
export type Server = {
  url: string;
  /** Waits until `/health` is green; returns the seconds it took. */
  start(): Promise<number>;
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  terminate(): Promise<Exit>;
  hasExited(): boolean;
  pid(): number;
  /** Its current (VmRSS) or peak (VmHWM) memory. */
  megabytes(what: 'VmRSS' | 'VmHWM'): Promise<number>;
};

export type ServerSettings = { folder: string; env: Record<string, string> };

export async function createServer({ folder, env }: ServerSettings): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, 'server.log');
  const appendLog = createLogWriter('.txt');
  let copiedBytes = 0;
  let child: ChildProcess | undefined;
  let cancelCleanup = () => {};

  const hasExited = () => !child || child.exitCode !== null || child.signalCode !== null;

  /** Synchronous: the folder may be removed right after the exit. */
  function copyLog(): void {
    const log = readFileSync(logFile);
    appendLog(log.subarray(copiedBytes));
    copiedBytes = log.length;
  }

  async function stopWith(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit> {
    if (!child || hasExited()) throw new Error(`The server had ended already; see ${logFile}`);
    const began = performance.now();
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code, by] = await ended;
    cancelCleanup();
    return { code, signal: by, seconds: (performance.now() - began) / 1000 };
  }

  return {
    url,
    hasExited,
    async start() {
      const began = performance.now();
      const log = createWriteStream(logFile, { flags: 'a' });
      await once(log, 'open');
      const started = spawn(process.execPath, [...memory, program], {
        env: {
          ...baseEnvironment(),
          ...allocation,
          DATA_DIR: folder,
          PORT: String(port),
          ...env,
        },
        stdio: ['ignore', log, log],
      });
      child = started;
      started.once('exit', copyLog);
      cancelCleanup = cleanUpAtExit(() => started.kill('SIGKILL'));
      log.close();
      const isUp = async () => {
        if (hasExited()) throw new Error(`The server did not start; see ${logFile}`);
        const answer = await fetch(`${url}/health`).catch(() => undefined);
        return answer?.ok;
      };
      await until('the server is healthy', isUp, 120_000);
      return (performance.now() - began) / 1000;
    },
    async kill() {
      await stopWith('SIGKILL');
    },
    terminate: () => Promise.race([stopWith('SIGTERM'), terminateTimeout()]),
    pid: () => child?.pid ?? 0,
    megabytes: (what) => megabytesOf(child?.pid, what),
  };
}

async function terminateTimeout(): Promise<never> {
  await delay(60_000, undefined, { ref: false });
  throw new Error('A minute after SIGTERM the server still runs');
}
