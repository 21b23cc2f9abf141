import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FloorInput } from './floor/server.ts';
import type { Drive, Load } from './load.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

export type RunningServer = {
  url: string;
  /** Of the server itself, which is the launcher's only child. */
  pid(): Promise<number | undefined>;
  /** In megabytes; undefined without /proc. */
  memory(): Promise<number | undefined>;
  stop(): Promise<void>;
};

/** Runs `npm start` with settings from the environment and the log in the data folder. */
export async function startServer(
  dataFolder: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = createWriteStream(join(dataFolder, 'server.log'));
  await once(log, 'open');
  const launcher = spawn(process.execPath, [join(root, 'scripts', 'launch.js'), 'start'], {
    env: { ...environment, DATA_DIR: dataFolder, PORT: String(port) },
    stdio: ['ignore', log, log],
  });
  const exited = once(launcher, 'exit');
  while (!(await isHealthy(url))) {
    if (launcher.exitCode !== null)
      throw new Error(`The server exited; see ${join(dataFolder, 'server.log')}`);
    await delay(100);
  }
  return {
    url,
    pid: () => serverPid(launcher),
    memory: () => residentMegabytes(launcher),
    async stop() {
      launcher.kill('SIGTERM');
      await exited;
    },
  };
}

export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

/** A process's current (VmRSS) or peak (VmHWM) memory. */
export async function megabytesOf(pid: number | undefined, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

const serverPid = async ({ pid }: ChildProcess) => (await childrenOf(pid ?? 0))[0];

async function residentMegabytes(launcher: ChildProcess): Promise<number | undefined> {
  try {
    return await megabytesOf(await serverPid(launcher), 'VmRSS');
  } catch {
    return undefined;
  }
}

export type RunningFloor = { url: string; stop(): void };

export async function startFloor(input: FloorInput): Promise<RunningFloor> {
  const child = fork(join(import.meta.dirname, 'floor', 'server.ts'), { serialization: 'advanced' });
  child.send(input);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

export type Driver = { drive(load: Load): Promise<Drive>; stop(): void };

export function startDriver(): Driver {
  const child = fork(join(import.meta.dirname, 'load.ts'), { serialization: 'advanced' });
  const pending = new Map<number, { resolve(result: Drive): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', ({ id, result, error }: { id: number; result?: Drive; error?: string }) => {
    if (result) pending.get(id)?.resolve(result);
    else pending.get(id)?.reject(new Error(error));
    pending.delete(id);
  });
  return {
    drive: (load) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        child.send({ id: lastId, load });
      }),
    stop: () => child.disconnect(),
  };
}
