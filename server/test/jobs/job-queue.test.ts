import { pendingJobs } from '@customer-database/testkit/jobs';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool, type Database } from '../../src/db/client.ts';
import { installJobQueue } from '../../src/jobs/install.ts';
import type { Job, WorkerDeps } from '../../src/jobs/job.ts';
import { enqueue as enqueueJob, wake } from '../../src/jobs/queue.ts';
import { readQueueStats } from '../../src/jobs/stats.ts';
import { type JobWorker, openJobWorker } from '../../src/jobs/worker.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';

type TestJob = Job<WorkerDeps, object>;

let pool: ReturnType<typeof createPool>;
let db: Database;
let worker: JobWorker<WorkerDeps> | undefined;
let runs: string[];

const job = (name: string, more: Partial<TestJob> = {}): TestJob => ({
  name,
  run: async () => {
    runs.push(name);
  },
  ...more,
});
const failing = (name: string, more: Partial<TestJob> = {}): TestJob =>
  job(name, { ...more, run: () => Promise.reject(new Error(`on purpose ${runs.push(name)}`)) });

// Not due while the tests run: they enqueue it like the schedule does.
const yearly = { schedule: '0 0 1 1 *' };

async function startWorker(...jobs: TestJob[]): Promise<void> {
  const log = createLog('silent');
  await installJobQueue(db, jobs);
  const deps = { log, metrics: createMetrics(pool), stopping: new AbortController().signal };
  worker = await openJobWorker(db, log, jobs);
  await worker.start(deps);
}

const enqueue = (name: string) => enqueueJob(db, job(name), {}, name);
const patient = { timeout: 25_000, interval: 100 };
const untilRun = (count: number) => vi.waitFor(() => expect(runs).toHaveLength(count), patient);
const untilEmpty = () => vi.waitFor(async () => expect(await pendingJobs(pool)).toEqual([]), patient);
const failed = async () => (await readQueueStats(db))?.failed;

beforeEach(async () => {
  pool = createPool(await createTestDatabase(), 10, createLog('silent'));
  db = createDatabase(pool);
  runs = [];
});
afterEach(async () => {
  await worker?.stop();
  await pool.end();
});

describe('A scheduled job', () => {
  it('that fails is not retried, and does not count as failed', async () => {
    await startWorker(failing('yearly', yearly));
    await enqueue('yearly');
    await untilRun(1);
    await untilEmpty();
    expect(await failed()).toBe(0);
    await enqueue('yearly');
    await untilRun(2);
  }, 60_000);

  it('that died with its server does not block the next run', async () => {
    await installJobQueue(db, [job('yearly', yearly)]);
    await enqueue('yearly');
    await pool.query(`update pgboss.job set state = 'active', started_on = now() - interval '2 minutes',
      heartbeat_on = now() - interval '1 minute', heartbeat_seconds = 30`);
    await startWorker(job('yearly', yearly));
    await untilEmpty();
    expect(runs).toEqual([]);
    await enqueue('yearly');
    await untilRun(1);
    expect(await failed()).toBe(0);
  }, 60_000);
});

describe('A job that can be woken', () => {
  it('runs at once, one at a time, and once more if it is woken while it runs', async () => {
    const gate = Promise.withResolvers<void>();
    const wakeable = job('wakeable', {
      ...yearly,
      canBeWoken: true,
      run: async () => {
        runs.push('wakeable');
        await gate.promise;
      },
    });
    await startWorker(wakeable);
    await wake(db, wakeable);
    await untilRun(1);
    for (const _ of [1, 2, 3]) await wake(db, wakeable);
    expect(await pendingJobs(pool)).toMatchObject([{ isRunning: true }, { isRunning: false }]);
    gate.resolve();
    await untilEmpty();
    expect(runs).toHaveLength(2);
  }, 60_000);
});

describe('An enqueued job', () => {
  it('that failed for good stays, and counts', async () => {
    await startWorker(failing('enqueued'), job('other'));
    await pool.query(`update pgboss.queue set retry_limit = 0 where name = 'enqueued'`);
    await enqueue('enqueued');
    await vi.waitFor(async () => expect(await failed()).toBe(1), patient);
    await enqueue('other');
    await untilRun(2);
    await untilEmpty();
    expect(await failed()).toBe(1);
  }, 60_000);

  it('replaces a waiting one with the same key, and is due at once', async () => {
    await startWorker(failing('enqueued'));
    await enqueue('enqueued');
    await untilRun(1);
    await vi.waitFor(
      async () => expect(await pendingJobs(pool)).toMatchObject([{ isRunning: false }]),
      patient,
    );
    await pool.query(`update pgboss.job set start_after = now() + interval '1 day'`);
    await enqueue('enqueued');
    await untilRun(2);
    expect(await pendingJobs(pool)).toHaveLength(1);
  }, 60_000);
});
