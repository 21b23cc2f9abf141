import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { createLogWriter, keepSecret } from '../../scripts/test-logs.js';
import { baseEnvironment } from './base-environment.ts';
import { afterFile } from './cleanup.ts';

const programs = {
  server: fileURLToPath(new URL('../../server/src/start/main.ts', import.meta.url)),
  demo: fileURLToPath(new URL('../../server/src/cli/demo.ts', import.meta.url)),
};

/** A server's data folder, removed when the test file ends. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-database-process-'));
  // When tests run as root, PostgreSQL runs as another user and must reach its data.
  await chmod(folder, 0o755);
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** With an empty database copied into it, because initdb is slow. */
export async function copyDataFolder(): Promise<string> {
  const folder = await makeDataFolder();
  await promisify(execFile)('cp', ['-a', `${inject('preparedDataDir')}/.`, folder]);
  return folder;
}

export type RunningProcess = {
  child: ChildProcess;
  url: string;
  setupCode: string | undefined;
  /** Its output so far. */
  output(): string;
  exited: Promise<number | null>;
};
export type EndedProcess = { code: number | null; output: string };

/** The server as users start it: its own process, by default with its own PostgreSQL. */
export function startProcess(
  env: Record<string, string>,
  program: keyof typeof programs = 'server',
): Promise<RunningProcess | EndedProcess> {
  const child = spawn(process.execPath, [programs[program]], {
    env: { ...baseEnvironment(), PORT: '0', LOG_LEVEL: 'trace', ...env },
  });
  afterFile(async () => child.kill('SIGKILL'));
  keepSecret('ADMIN_PASSWORD', env.ADMIN_PASSWORD);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve) => {
    let output = '';
    const keep = createLogWriter('.txt');
    const read = (chunk: Buffer) => {
      output += chunk;
      keep(chunk);
      // Numeric, because sessions show the address.
      const url = /is running at (http[^\s"]+)/.exec(output)?.[1]?.replace('//localhost:', '//127.0.0.1:');
      if (!url || !output.includes('Press Ctrl-C')) return;
      const setupCode = /setup_code=([\w-]+)/.exec(output)?.[1];
      resolve({ child, url, setupCode, output: () => output, exited });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => resolve({ code, output }));
  });
}

export async function startRunning(
  env: Record<string, string>,
  program?: keyof typeof programs,
): Promise<RunningProcess> {
  const result = await startProcess(env, program);
  if ('code' in result) throw new Error(`the server ended: ${result.output}`);
  return result;
}

export async function startFailing(env: Record<string, string>): Promise<EndedProcess> {
  const result = await startProcess(env);
  if ('child' in result) throw new Error('the server started');
  return result;
}
