import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { keepSecret, keptLog } from '../../../scripts/test-logs.js';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const running = new Set<ChildProcess>();
const folders: string[] = [];

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** For a server's data; it goes when the test file ends. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-database-process-'));
  // When the tests run as root, PostgreSQL runs as somebody else and has to get in.
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

export type RunningProcess = {
  child: ChildProcess;
  url: string;
  setupCode: string | undefined;
  /** Everything it printed so far. */
  output(): string;
  exited: Promise<number | null>;
};
export type EndedProcess = { code: number | null; output: string };

/** The server as users start it: its own process, with its own PostgreSQL unless told otherwise. */
export function startProcess(env: Record<string, string>): Promise<RunningProcess | EndedProcess> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'trace', ...env },
  });
  running.add(child);
  keepSecret('ADMIN_PASSWORD', env.ADMIN_PASSWORD);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve) => {
    let output = '';
    const keep = keptLog('.txt');
    const read = (chunk: Buffer) => {
      output += chunk;
      keep(chunk);
      const url = /is running at (\S+)/.exec(output)?.[1];
      if (!url || !output.includes('Press Ctrl-C')) return;
      const setupCode = /setup_code=(\S+)/.exec(output)?.[1];
      resolve({ child, url, setupCode, output: () => output, exited });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}

export async function startRunning(env: Record<string, string>): Promise<RunningProcess> {
  const result = await startProcess(env);
  if ('code' in result) throw new Error(`the server ended: ${result.output}`);
  return result;
}

export async function startFailing(env: Record<string, string>): Promise<EndedProcess> {
  const result = await startProcess(env);
  if ('child' in result) throw new Error('the server started');
  return result;
}
