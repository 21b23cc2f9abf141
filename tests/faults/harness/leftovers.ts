import { readdir } from 'node:fs/promises';
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
import type { Ledger } from './ledger.ts';
import { withDatabase } from './postgres.ts';
import { verify } from './verify.ts';

const overADayMs = 25 * 3_600_000;

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

/** The nightly sweep, with its clock moved by more than a day: removes objects without a row, and nothing else. */
export async function sweepADayLater(
  installation: Installation,
  ledger: Ledger,
  findings: Findings,
  env: Record<string, string> = {},
): Promise<number> {
  const { leftovers } = await verify(installation, ledger, findings, 'new');
  const config = readConfig({ ...env, DATA_DIR: installation.folder });
  const { deps, close } = await openDeps(config, createLog('silent'), { asTool: true });
  await sweepObjects({ ...deps, clock: { now: () => new Date(Date.now() + overADayMs) } });
  await close();
  const after = await verify(installation, ledger, findings, 'all');
  findings.expect(after.leftovers.length === 0, `${after.leftovers.length} objects are left after the sweep`);
  return leftovers.length;
}
