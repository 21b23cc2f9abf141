import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TestApp } from './test-app.ts';

const program = fileURLToPath(new URL('../../src/cli/admin.ts', import.meta.url));

export type AdminResult = { code: number | null; stdout: string; stderr: string; output: string };

/** Whatever arrives, also when a test stops listening halfway. */
function collect(stream: Readable): () => string {
  let said = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return () => said;
}

/** The real command line, on the database of the app. */
export function startAdmin(
  app: TestApp,
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; result: Promise<AdminResult> } {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.deps.config.dataDir,
      SECRET_KEY: app.deps.config.secretKey,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const finish = async () => {
    await once(child, 'close');
    return { code: child.exitCode, stdout: stdout(), stderr: stderr(), output: stdout() + stderr() };
  };
  return { child, result: finish() };
}

export function runAdmin(
  app: TestApp,
  args: readonly string[],
  env?: Record<string, string>,
): Promise<AdminResult> {
  return startAdmin(app, args, env).result;
}
