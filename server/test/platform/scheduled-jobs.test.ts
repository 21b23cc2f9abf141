import { createTestDatabase } from '@customer-database/testkit/test-app';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool, type Database } from '../../src/db/client.ts';
import { readQueue } from '../../src/jobs/figures.ts';
import { type JobHandlers, type JobWorker, startJobWorker } from '../../src/jobs/worker.ts';

const log = createLog('silent');

let pool: ReturnType<typeof createPool>;
let db: Database;
let worker: JobWorker | undefined;

beforeEach(async () => {
  pool = createPool(await createTestDatabase(), 10, log);
  db = createDatabase(pool);
});
afterEach(async () => {
  await worker?.stop();
  await pool.end();
});

async function startWorker(handlers: Partial<JobHandlers>): Promise<void> {
  worker = await startJobWorker(pool, handlers as JobHandlers, log, new AbortController().signal);
}

/** Enqueues like the cron schedule, which may do so itself at any moment. */
const enqueueScheduled = () =>
  pool.query(`select graphile_worker.add_job(
    'backup-if-due', '{}', queue_name => 'backup', max_attempts => 1, job_key => 'backup')`);

async function rowsOf(task: string): Promise<number> {
  const all = 'select count(*)::int as count from graphile_worker.jobs where task_identifier = $1';
  return (await pool.query(all, [task])).rows[0].count;
}

const patient = { timeout: 20_000, interval: 100 };

describe('A scheduled job', () => {
  it('that fails is removed, and does not count as failed forever', async () => {
    let runs = 0;
    const fail = async () => {
      runs += 1;
      throw new Error('on purpose');
    };
    await startWorker({ 'backup-if-due': fail });
    for (const turn of [1, 2]) {
      await enqueueScheduled();
      await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(turn), patient);
    }
    await vi.waitFor(async () => expect(await rowsOf('backup-if-due')).toBe(0), patient);
  }, 60_000);

  it('that died with its server is left to the next run, and removed', async () => {
    await enqueueScheduled();
    const dead = `locked_by = 'a server that died', locked_at = now() - interval '2 minutes'`;
    await pool.query(`update graphile_worker._private_jobs set attempts = 1, ${dead}`);
    await pool.query(`update graphile_worker._private_job_queues set ${dead}`);
    await enqueueScheduled();
    const done = vi.fn(async () => undefined);
    await startWorker({ 'backup-if-due': done });
    await vi.waitFor(() => expect(done).toHaveBeenCalled(), patient);
    await vi.waitFor(async () => expect((await readQueue(db))?.failed).toBe(0), patient);
    await vi.waitFor(async () => expect(await rowsOf('backup-if-due')).toBe(0), patient);
  }, 60_000);
});

describe('An enqueued job', () => {
  it('that failed for good stays, and counts', async () => {
    await pool.query(`select graphile_worker.add_job('send-invitation', '{}', max_attempts => 1)`);
    await startWorker({ 'send-invitation': () => Promise.reject(new Error('on purpose')) });
    const failed = async () => (await readQueue(db))?.failed;
    await vi.waitFor(async () => expect(await failed()).toBe(1), patient);
    // The clean-up that removes this one keeps the other.
    await enqueueScheduled();
    await pool.query(`update graphile_worker._private_jobs set attempts = max_attempts where key = 'backup'`);
    await vi.waitFor(async () => expect(await rowsOf('backup-if-due')).toBe(0), patient);
    expect(await failed()).toBe(1);
  }, 60_000);
});
