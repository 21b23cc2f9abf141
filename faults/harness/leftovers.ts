import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../server/src/core/config.ts';
import { createLog } from '../../server/src/core/log.ts';
import { sweepObjects } from '../../server/src/modules/documents/consistency/jobs.ts';
import { openDeps } from '../../server/src/start/open-deps.ts';
import type { Findings } from './findings.ts';
import type { Installation } from './installation.ts';
import { withDatabase } from './postgres.ts';
import { until } from './waiting.ts';

const dayAndMore = 25 * 3_600_000;

/** As if a day had gone by since they were written. */
async function age(folder: string): Promise<void> {
  const then = new Date(Date.now() - dayAndMore);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
  }
}

/** Drafts of objects that were never finished. */
export async function draftsIn({ folder }: Installation): Promise<string[]> {
  return readdir(join(folder, 'objects', '.tmp'));
}

/** The jobs that wait, or that somebody took and never finished. */
export async function waitingJobs({ folder }: Pick<Installation, 'folder'>): Promise<string[]> {
  return withDatabase(folder, async (client) => {
    const { rows } = await client.query<{ task: string }>(
      `select task_identifier || coalesce(' taken by ' || locked_by, '') as task from graphile_worker.jobs`,
    );
    return rows.map(({ task }) => task);
  });
}

/** Jobs that failed wait longer and longer; nobody wants to wait here. */
export async function makeJobsDue({ folder }: Pick<Installation, 'folder'>): Promise<void> {
  await withDatabase(folder, (client) =>
    client.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null'),
  );
}

/** As if a minute had gone by since a server that was killed took them; then they are done by another one. */
export async function ageHolds({ folder }: Pick<Installation, 'folder'>): Promise<void> {
  await withDatabase(folder, (client) =>
    client.query(
      `update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute'
       where locked_at < now() - interval '2 seconds'`,
    ),
  );
}

/** Objects of deleted documents go by jobs, which are tried again until they are done. */
export async function finishJobs(installation: Installation, findings: Findings): Promise<void> {
  await makeJobsDue(installation);
  const done = async () => {
    // Again and again: a server that was killed a moment ago has taken some a moment ago.
    await ageHolds(installation);
    return (await waitingJobs(installation)).length === 0;
  };
  await until('all jobs are done', done, 30_000).catch(async () => {
    findings.broken.push(`jobs are not done: ${(await waitingJobs(installation)).join(', ')}`);
  });
}

/** The nightly sweep, a day later: what has no row goes, and nothing else. */
export async function sweepLeftovers(installation: Installation, leftovers: string[], findings: Findings) {
  const { folder, storage, server } = installation;
  await age(join(folder, 'objects'));
  await withDatabase(folder, (client) =>
    client.query(`select graphile_worker.add_job('sweep-objects', '{}')`),
  );
  const isSwept = async () => {
    for (const key of leftovers) if (await storage.head(key)) return false;
    return (await waitingJobs(installation)).length === 0;
  };
  await until('the leftovers are swept', isSwept, 60_000).catch((error: Error) => {
    findings.broken.push(error.message);
  });
  // Unfinished drafts go at the next start.
  await server.terminate();
  await server.start();
  const drafts = await draftsIn(installation);
  findings.expect(drafts.length === 0, `${drafts.length} unfinished drafts are still there`);
}

/** Where files cannot be made older, the clock of the sweep goes forward instead. */
export async function sweepADayLater(
  { folder, storage }: Installation,
  env: Record<string, string>,
  leftovers: string[],
  findings: Findings,
): Promise<void> {
  const config = readConfig({ ...env, DATA_DIR: folder });
  const { deps, close } = await openDeps(config, createLog('silent'), { asTool: true });
  await sweepObjects({ ...deps, clock: { now: () => new Date(Date.now() + dayAndMore) } });
  await close();
  for (const key of leftovers) findings.expect(!(await storage.head(key)), 'a leftover was not swept');
}
