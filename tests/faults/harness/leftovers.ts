import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expireHeartbeats, makeJobsDue, pendingJobs } from '@customer-database/testkit/jobs';
import { until } from '@customer-database/testkit/until';
import { readConfig } from '../../../server/src/core/config.ts';
import { createLog } from '../../../server/src/core/log.ts';
import { sweepObjects } from '../../../server/src/modules/documents/consistency/sweep.ts';
import { jobs } from '../../../server/src/start/jobs.ts';
import { openDeps } from '../../../server/src/start/open-deps.ts';
import type { Findings } from './findings.ts';
import type { Installation } from './installation.ts';
import { withDatabase } from './postgres.ts';

const overADayMs = 25 * 3_600_000;

/** Backdates files by more than a day. */
async function ageFiles(folder: string): Promise<void> {
  const then = new Date(Date.now() - overADayMs);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
  }
}

/** Unfinished objects. */
export async function draftsIn({ folder }: Installation): Promise<string[]> {
  return readdir(join(folder, 'objects', '.tmp'));
}

// They read a backlog of documents in runs of up to a minute, and every upload begins another run.
const readers: string[] = jobs.filter(({ canBeWoken }) => canBeWoken).map(({ name }) => name);

/** Jobs that wait or are locked by a worker, without those that read documents. */
export async function waitingJobs({ folder }: Pick<Installation, 'folder'>): Promise<string[]> {
  return withDatabase(folder, async (client) => {
    const pending = await pendingJobs(client);
    return pending
      .filter(({ name }) => !readers.includes(name))
      .map(({ name, isRunning }) => (isRunning ? `${name} (running)` : name));
  });
}

export const retryJobsNow = ({ folder }: Pick<Installation, 'folder'>) => withDatabase(folder, makeJobsDue);
export const takeOverJobs = ({ folder }: Pick<Installation, 'folder'>) =>
  withDatabase(folder, expireHeartbeats);

/** Waits for all jobs, such as those that delete objects of deleted documents. */
export async function finishJobs(installation: Installation, findings: Findings): Promise<void> {
  const done = async () => {
    await retryJobsNow(installation);
    // Repeatedly: the last heartbeat of a killed server may be a moment ago.
    await takeOverJobs(installation);
    return (await waitingJobs(installation)).length === 0;
  };
  await until('all jobs are done', done, 30_000).catch(async () => {
    findings.broken.push(`jobs are not done: ${(await waitingJobs(installation)).join(', ')}`);
  });
}

/** The nightly sweep, a day later: removes objects without a row, and nothing else. */
export async function sweepLeftovers(installation: Installation, leftovers: string[], findings: Findings) {
  const { folder, storage, server } = installation;
  await ageFiles(join(folder, 'objects'));
  await withDatabase(folder, (client) =>
    client.query(`insert into pgboss.job (name) values ('sweep-objects')`),
  );
  const isSwept = async () => {
    for (const key of leftovers) if (await storage.head(key)) return false;
    return (await waitingJobs(installation)).length === 0;
  };
  await until('the leftovers are swept', isSwept, 60_000).catch((error: Error) => {
    findings.broken.push(error.message);
  });
  // Drafts are removed at the next start.
  await server.terminate();
  await server.start();
  // The server also tries the storage when it starts, with a draft that is gone a moment later.
  const isClean = async () => (await draftsIn(installation)).length === 0;
  await until('no draft is left', isClean, 10_000).catch((error: Error) => {
    findings.broken.push(error.message);
  });
}

/** Where files cannot be backdated, moves the clock of the sweep forward instead. */
export async function sweepADayLater(
  { folder, storage }: Installation,
  env: Record<string, string>,
  leftovers: string[],
  findings: Findings,
): Promise<void> {
  const config = readConfig({ ...env, DATA_DIR: folder });
  const { deps, close } = await openDeps(config, createLog('silent'), { asTool: true });
  await sweepObjects({ ...deps, clock: { now: () => new Date(Date.now() + overADayMs) } });
  await close();
  for (const key of leftovers) findings.expect(!(await storage.head(key)), 'a leftover was not swept');
}
