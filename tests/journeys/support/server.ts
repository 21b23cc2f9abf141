import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogWriter, keepSecret } from '../../../scripts/test-logs.js';

const root = join(import.meta.dirname, '..', '..', '..');
const startTimeoutMs = 60_000;

/** Settings for a server that waits for its first administrator. */
export const withoutAdmin = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' };
export const firstAdmin = { email: 'admin@example.com', password: 'correct horse battery' };

export type Server = {
  url: string;
  /** What the server printed as it started, such as the link to create the first administrator. */
  output: () => string;
  dataDir: string;
  stop(options?: { keepData?: boolean }): Promise<void>;
};

async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-database-browser-'));
  // When the tests run as root, PostgreSQL runs as another user and needs access.
  await chmod(folder, 0o755);
  return folder;
}

/** One address for browsers and for calls by hand, whatever 'localhost' means on this machine. */
const numeric = (output: string) => output.replaceAll('//localhost:', '//127.0.0.1:');

/** The real server on its own folder and database, with a first administrator by default. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const dataDir = await makeDataFolder();
  const prepared = process.env.PREPARED_DATA_DIR;
  if (prepared) await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
  const child = spawn(process.execPath, [join(root, 'server', 'src', 'start', 'main.ts')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: process.env.TEST_LOG_FOLDER ? 'trace' : 'error',
      TIME_ZONE: 'Europe/Berlin',
      ADMIN_EMAIL: firstAdmin.email,
      ADMIN_PASSWORD: firstAdmin.password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keepSecret('ADMIN_PASSWORD', firstAdmin.password);
  keepSecret('ADMIN_PASSWORD', env.ADMIN_PASSWORD);
  const appendLog = createLogWriter('.txt');
  let output = '';
  let isStarted = false;
  const url = await new Promise<string>((resolve, reject) => {
    const giveUp = (why: string) => reject(new Error(`The server did not start (${why}):\n${output}`));
    const timer = setTimeout(giveUp, startTimeoutMs, `not within ${startTimeoutMs} ms`);
    const read = (chunk: Buffer) => {
      appendLog(chunk);
      if (isStarted) return;
      output += chunk;
      const address = /is running at (http[^\s"]+)/.exec(numeric(output))?.[1];
      // The address is not the last line, and tests read all of the output.
      if (address && output.includes('Ctrl-C')) {
        isStarted = true;
        clearTimeout(timer);
        resolve(address);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => giveUp(`exit ${code}`));
  });
  return {
    url,
    output: () => numeric(output),
    dataDir,
    async stop({ keepData = false } = {}) {
      await terminate(child);
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
