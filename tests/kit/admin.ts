import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import { createLogWriter } from '../../scripts/test-logs.js';
import { runProgram } from '../../server/src/cli/run.ts';
import { baseEnvironment } from './base-environment.ts';
import type { TestApp } from './test-app.ts';

export type ProgramResult = { code: number | null; stdout: string; stderr: string; output: string };
export type StartedProgram = { child: ChildProcess; result: Promise<ProgramResult> };

/** Keeps reading even when a test stops listening halfway. */
function collect(stream: Readable): () => string {
  let output = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return () => output;
}

/** The app's settings, as the command line reads them from the environment. */
export const settingsOf = (app: TestApp) => ({
  DATABASE_URL: app.databaseUrl,
  DATA_DIR: app.deps.config.dataDir,
  SECRET_KEY: app.deps.config.secretKey,
});

/** The real command line. */
export function startProgram(
  name: keyof typeof programs,
  args: readonly string[],
  env: Record<string, string | undefined>,
): StartedProgram {
  const program = fileURLToPath(new URL(`../../server/src/cli/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...baseEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const finish = async () => {
    await once(child, 'close');
    // Output may show temporary passwords to the person who runs the command; log lines may not.
    const logged = stdout().match(/^\{.*\n/gm) ?? [];
    if (logged.length > 0) createLogWriter('.jsonl')(logged.join(''));
    return { code: child.exitCode, stdout: stdout(), stderr: stderr(), output: stdout() + stderr() };
  };
  return { child, result: finish() };
}

const programs = {
  admin: () => import('../../server/src/cli/admin.ts'),
  backup: () => import('../../server/src/cli/backup.ts'),
  restore: () => import('../../server/src/cli/restore.ts'),
};

/** Runs the command line in this process: a new one takes a second to start. One at a time, as it records the console. */
export async function runProgramHere(
  name: keyof typeof programs,
  args: string[],
  env: Record<string, string | undefined>,
): Promise<ProgramResult> {
  const { program } = await programs[name]();
  let [stdout, stderr, output] = ['', '', ''];
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    stdout += `${format(...values)}\n`;
    output += `${format(...values)}\n`;
  });
  const error = vi.spyOn(console, 'error').mockImplementation((...values) => {
    stderr += `${format(...values)}\n`;
    output += `${format(...values)}\n`;
  });
  try {
    const code = await runProgram(program, args, { ...baseEnvironment(), ...env });
    return { code, stdout, stderr, output };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

export function startAdmin(
  app: TestApp,
  args: readonly string[],
  env: Record<string, string> = {},
): StartedProgram {
  return startProgram('admin', args, { ...settingsOf(app), ...env });
}

export function runAdmin(
  app: TestApp,
  args: readonly string[],
  env?: Record<string, string>,
): Promise<ProgramResult> {
  return startAdmin(app, args, env).result;
}
