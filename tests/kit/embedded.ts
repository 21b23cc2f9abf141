import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type EmbeddedDatabase, startEmbedded } from '@customer-database/embedded-postgres/start';
import { Client } from 'pg';
import { inject } from 'vitest';
import { afterTest } from './cleanup.ts';

export const asRoot = process.getuid?.() === 0;
export const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function makeDataDir(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'embedded-test-'));
  afterTest(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // mkdtemp makes private folders, but PostgreSQL's user must reach the data folder.
  if (parent === tmpdir()) await chmod(folder, 0o755);
  return join(folder, 'data');
}

/** A copy of an initialised data folder, because initdb is slow. */
export async function copyDataDir(): Promise<string> {
  const dataDir = await makeDataDir();
  await promisify(execFile)('cp', ['-a', inject('preparedDataDir'), dataDir]);
  return dataDir;
}

export async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: quiet });
  afterTest(() => database.stop());
  return database;
}

export async function query(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export type Holder = { process: ChildProcess; outcome: string };

/** A separate process that holds the database. Its outcome is the database's URL or the error's name. */
export async function startHolder(dataDir: string, log = '() => {}'): Promise<Holder> {
  const embedded = JSON.stringify(
    new URL('../../packages/embedded-postgres/src/start.ts', import.meta.url).href,
  );
  const code = `
    import { startEmbedded } from ${embedded};
    const say = ${log};
    const log = { info: say, warn: say, error: say };
    startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log }).then(
      (database) => { console.log(database.url); process.once('SIGTERM', () => database.stop().then(() => process.exit())); },
      (error) => { console.log(error.name); process.exit(1); },
    );`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterTest(() => end(holder, 'SIGTERM'));
  const [outcome] = await once(createInterface(holder.stdout), 'line');
  return { process: holder, outcome: String(outcome) };
}

export async function end(holder: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  holder.kill(signal);
  await once(holder, 'exit');
}

export async function postmasterPid(location: string): Promise<number> {
  return Number.parseInt(await readFile(join(location, 'postmaster.pid'), 'utf8'), 10);
}

/** A zombie counts as gone. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

/** Retries until it succeeds, like the server's connection pool. */
export async function eventually<T>(attempt: () => Promise<T>, timeoutMs = 15_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
