import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIdentity } from '@customer-database/embedded-postgres/identity';
import { isAlive, readPidFile, servesCluster } from '@customer-database/embedded-postgres/pidfile';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import pg from 'pg';
import { childrenOf } from '../../bench/processes.ts';
import { until } from './waiting.ts';

/** The main process of the PostgreSQL of this data folder and all that it started; none when it does not run. */
export async function postgresPids(folder: string): Promise<{ main: number; others: number[] } | undefined> {
  const identity = await readIdentity(folder);
  const file = identity && (await readPidFile(identity.location));
  // Never a process that merely got the number of one that is gone.
  if (!file || !(await servesCluster(file.pid, identity.location))) return undefined;
  return { main: file.pid, others: await childrenOf(file.pid).catch(() => []) };
}

function killAtOnce(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** `kill -9` of every process of it; answers whether one ran. */
export async function killPostgres(folder: string): Promise<boolean> {
  const pids = await postgresPids(folder);
  if (!pids) return false;
  killAtOnce([pids.main, ...pids.others]);
  await until('PostgreSQL is gone', async () => !(await isAlive(pids.main)), 10_000);
  return true;
}

/** `kill -9` of one process that serves a connection: PostgreSQL then ends all others and repairs itself. */
export async function killOneConnection(folder: string, choose: (from: number[]) => number): Promise<void> {
  const serving = await withDatabase(folder, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  });
  killAtOnce([choose(serving)]);
}

/** Without waiting, for the end of a run: the process number stands in the first line of its note. */
export function killPostgresNow(location: string): void {
  try {
    const pid = Number.parseInt(readFileSync(join(location, 'postmaster.pid'), 'utf8'), 10);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (command.includes(location)) process.kill(pid, 'SIGQUIT');
  } catch {
    // It does not run.
  }
}

/** Written down for installations with a database of their own; else the embedded one, where it runs. */
async function databaseUrl(folder: string): Promise<string | undefined> {
  const written = await readFile(join(folder, 'database.url'), 'utf8').catch(() => undefined);
  return written ?? findRunningEmbedded(folder);
}

/** Past the server, to see with one's own eyes what is kept. */
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
