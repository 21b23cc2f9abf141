import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIdentity } from '@customer-database/embedded-postgres/identity';
import { findPostmaster, isAlive } from '@customer-database/embedded-postgres/pidfile';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import { childrenOf } from '@customer-database/testkit/processes';
import { until } from '@customer-database/testkit/until';
import pg from 'pg';

/** The postmaster of this data folder and its children; undefined when it does not run. */
export async function postgresPids(folder: string): Promise<{ main: number; others: number[] } | undefined> {
  const identity = await readIdentity(folder);
  const postmaster = identity && (await findPostmaster(identity.location));
  return postmaster && { main: postmaster.pid, others: await childrenOf(postmaster.pid).catch(() => []) };
}

export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has exited already.
    }
  }
}

/** `kill -9` of all its processes; returns whether it was running. */
export async function killPostgres(folder: string): Promise<boolean> {
  const pids = await postgresPids(folder);
  if (!pids) return false;
  signalAll([pids.main, ...pids.others], 'SIGKILL');
  await until('PostgreSQL is gone', async () => !(await isAlive(pids.main)), 10_000);
  return true;
}

/** `kill -9` of one backend: PostgreSQL then ends all others and recovers. */
export async function killOneConnection(folder: string, choose: (from: number[]) => number): Promise<void> {
  const serving = await withDatabase(folder, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  });
  signalAll([choose(serving)], 'SIGKILL');
}

/** Its postmaster, if it runs. Synchronous, for the exit of a run: the first line of postmaster.pid is the pid. */
export function postmasterOf(location: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(location, 'postmaster.pid'), 'utf8'), 10);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes(location) ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function killPostgresNow(location: string): void {
  const pid = postmasterOf(location);
  if (pid !== undefined) signalAll([pid], 'SIGQUIT');
}

/** From the file `database.url` where there is one, otherwise that of the embedded database while it runs. */
async function databaseUrl(folder: string): Promise<string | undefined> {
  const configured = await readFile(join(folder, 'database.url'), 'utf8').catch(() => undefined);
  return configured ?? findRunningEmbedded(folder);
}

/** Bypasses the server to see what is really stored. */
export async function withDatabase<T>(folder: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = await until('the database answers', () => databaseUrl(folder), 60_000);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
