import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');
const web = join(root, 'web');
const vite = join(root, 'node_modules', '.bin', 'vite');

/** The API must know the pages' origin before they are served. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (!address || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

/** Builds the pages with these settings and serves them from another port, without our server. */
export async function servePagesElsewhere(port: number, settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'customer-database-pages-'));
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...settings };
  await promisify(execFile)(process.execPath, [vite, 'build', web, '--outDir', folder], { cwd: root, env });
  const args = [
    'preview',
    web,
    '--outDir',
    folder,
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--strictPort',
  ];
  const child = spawn(process.execPath, [vite, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
