import { createBreakableDatabase } from '@customer-database/testkit/breakable-database';
import { expireHeartbeats, pendingJobs } from '@customer-database/testkit/jobs';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { installJobQueue } from '../../src/jobs/install.ts';
import type { Job, WorkerDeps } from '../../src/jobs/job.ts';
import { enqueue } from '../../src/jobs/queue.ts';
import { openJobWorker } from '../../src/jobs/worker.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';

type Named = { called: string };

/** A queue of named jobs that run the given work. */
async function startQueue(url: string, work: (name: string) => Promise<void>) {
  const pool = createPool(url, 10, createLog('silent'));
  const db = createDatabase(pool);
  const begun: string[] = [];
  const job: Job<WorkerDeps, Named> = {
    name: 'named',
    async run(_deps, { called }) {
      begun.push(called);
      await work(called);
    },
  };
  await installJobQueue(db, [job]);
  const log = createLog('silent');
  const deps = { log, metrics: createMetrics(pool), stopping: new AbortController().signal };
  const worker = await openJobWorker(db, log, [job]);
  await worker.start(deps);
  const patient = { timeout: 40_000, interval: 100 };

  return {
    pool,
    begun,
    /** Retries on broken connections until the pool has noticed them. */
    add: (called: string) => vi.waitFor(() => enqueue(db, job, { called }, called), 10_000),
    untilBegun: (...names: string[]) =>
      vi.waitFor(() => expect(begun).toEqual(expect.arrayContaining(names)), patient),
    untilEmpty: () =>
      vi.waitFor(async () => {
        await expireHeartbeats(pool);
        expect(await pendingJobs(pool)).toEqual([]);
      }, patient),
    async end() {
      await worker.stop();
      await pool.end();
    },
  };
}

it.concurrent('Jobs whose outcomes could not be saved run again after the outage, and others continue', async () => {
  const database = await createBreakableDatabase();
  const together = ['one', 'two', 'three', 'four'];
  const letThemEnd = Promise.withResolvers<void>();
  const queue = await startQueue(database.url, async (name) => {
    if (name !== 'later') await letThemEnd.promise;
  });
  for (const name of together) await queue.add(name);
  await queue.untilBegun(...together);

  await database.disconnect();
  letThemEnd.resolve();
  await vi.waitFor(() => expect(queue.pool.totalCount).toBe(0), 10_000);
  await database.reconnect();
  await queue.add('later');
  await queue.untilBegun('later');
  await queue.untilEmpty();
  for (const name of together) expect(queue.begun.filter((each) => each === name)).toHaveLength(2);
  await queue.end();
}, 90_000);

it.concurrent('A database that does not answer for a while loses no job and starts none twice', async () => {
  const url = await createTestDatabase();
  const letFirstEnd = Promise.withResolvers<void>();
  const queue = await startQueue(url, async (name) => {
    if (name === 'first') await letFirstEnd.promise;
  });
  await queue.add('first');
  await queue.untilBegun('first');
  const other = new pg.Client(url);
  await other.connect();
  // Blocks fetching jobs and saving outcomes.
  await other.query('begin; lock table pgboss.job_common in access exclusive mode');
  letFirstEnd.resolve();
  await vi.waitFor(async () => {
    const { rowCount } = await queue.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBeGreaterThan(1);
  }, 10_000);
  await other.query('commit');
  await queue.add('later');
  await queue.untilBegun('later');
  await queue.untilEmpty();
  expect(queue.begun).toEqual(['first', 'later']);
  await queue.end();
  await other.end();
}, 90_000);
