import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { baseEnvironment } from '@customer-database/testkit/base-environment';
import { freePort } from '@customer-database/testkit/ports';
import { isHealthy, megabytesOf } from '../../bench/processes.ts';
import { allocation, memory } from '../../scripts/server-memory.js';
import { keptLog } from '../../scripts/test-logs.js';
import { undoAtExit } from './cleanup.ts';
import { until } from './waiting.ts';

const program = fileURLToPath(new URL('../../server/src/start/main.ts', import.meta.url));

export type Ended = { code: number | null; signal: NodeJS.Signals | null; seconds: number };

/** The server as `npm start` runs it, in a process of its own that can be killed and started again. */
export type Server = {
  url: string;
  /** Until `/health` is green; answers the seconds that it took. */
  start(): Promise<number>;
  kill(): Promise<void>;
  /** Asks it to stop and waits until it has. */
  terminate(): Promise<Ended>;
  hasEnded(): boolean;
  peakMegabytes(): Promise<number>;
};

export type ServerSettings = { folder: string; env: Record<string, string> };

export async function createServer({ folder, env }: ServerSettings): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, 'server.log');
  const keep = keptLog('.txt');
  let keptBytes = 0;
  let child: ChildProcess | undefined;
  let forget = () => {};

  const hasEnded = () => !child || child.exitCode !== null || child.signalCode !== null;

  /** At once, and not later: the folder may go with the server. */
  function keepLog(): void {
    const log = readFileSync(logFile);
    keep(log.subarray(keptBytes));
    keptBytes = log.length;
  }

  async function endBy(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    if (!child || hasEnded()) throw new Error(`The server had ended already; see ${logFile}`);
    const began = performance.now();
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code, by] = await ended;
    forget();
    return { code, signal: by, seconds: (performance.now() - began) / 1000 };
  }

  return {
    url,
    hasEnded,
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
          TRUST_PROXY: '127.0.0.1',
          ...env,
        },
        stdio: ['ignore', log, log],
      });
      child = started;
      started.once('exit', keepLog);
      forget = undoAtExit(() => started.kill('SIGKILL'));
      log.close();
      const isUp = async () => {
        if (hasEnded()) throw new Error(`The server did not start; see ${logFile}`);
        return isHealthy(url);
      };
      await until('the server is healthy', isUp, 60_000);
      return (performance.now() - began) / 1000;
    },
    async kill() {
      await endBy('SIGKILL');
    },
    terminate: () => Promise.race([endBy('SIGTERM'), tooLong()]),
    peakMegabytes: () => megabytesOf(child?.pid, 'VmHWM'),
  };
}

async function tooLong(): Promise<never> {
  await delay(60_000, undefined, { ref: false });
  throw new Error('A minute after SIGTERM the server still runs');
}
