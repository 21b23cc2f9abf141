import { setTimeout as delay } from 'node:timers/promises';
import { createBreakableDatabase } from '@customer-database/testkit/breakable-database';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { enqueue } from '../../src/jobs/queue.ts';
import { type JobHandlers, startJobWorker } from '../../src/jobs/worker.ts';

/** A queue of named jobs that run the given work. */
async function startQueue(url: string, work: (name: string) => Promise<void>) {
  const pool = createPool(url, 10, createLog('silent'));
  const db = createDatabase(pool);
  const begun: string[] = [];
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const linesWith = (text: string) => lines.filter((line) => line.includes(text));
  const deleteObject = async ({ storage_key }: { storage_key: string }) => {
    begun.push(storage_key);
    await work(storage_key);
  };
  const handlers = { 'delete-object': deleteObject } as unknown as JobHandlers;
  const worker = await startJobWorker(pool, handlers, log, new AbortController().signal);

  return {
    pool,
    /** Waits until the outcomes of that many jobs could not be saved, possibly in batches. */
    untilNotSaved: (count: number) =>
      vi.waitFor(() => {
        const jobs = linesWith('Failed to complete jobs').join().match(/'\d+'/g);
        expect(new Set(jobs).size).toBe(count);
      }, 30_000),
    /** Waits for the workers of a new runner. */
    untilReplaced: () => vi.waitFor(() => expect(linesWith('"Spawned"').length).toBeGreaterThan(4), 30_000),
    /** Retries on broken connections until the pool has noticed them. */
    add: (name: string) =>
      vi.waitFor(() => enqueue(db, 'delete-object', { storage_key: name }, name), 10_000),
    untilBegun: (...names: string[]) =>
      vi.waitFor(() => expect(begun).toEqual(expect.arrayContaining(names)), 30_000),
    async end() {
      await worker.stop();
      await pool.end();
    },
  };
}

it.concurrent('Jobs continue after an outage in which the outcomes of several could not be saved', async () => {
  const database = await createBreakableDatabase();
  const together = ['one', 'two', 'three', 'four'];
  const letThemEnd = Promise.withResolvers<void>();
  const queue = await startQueue(database.url, async (name) => {
    if (name === 'later') return;
    await letThemEnd.promise;
    // One after the other, or their outcomes would be saved in one batch.
    await delay(100 * together.indexOf(name));
  });
  for (const name of together) await queue.add(name);
  await queue.untilBegun(...together);

  await database.disconnect();
  letThemEnd.resolve();
  await queue.untilNotSaved(together.length);
  await database.reconnect();
  await queue.add('later');
  await queue.untilBegun('later');
  await queue.end();
}, 60_000);

/** A queue with a lock that blocks fetching jobs and saving outcomes. */
async function startLockableQueue(work: (name: string) => Promise<void>) {
  const url = await createTestDatabase();
  const queue = await startQueue(url, work);
  const other = new pg.Client(url);
  await other.connect();

  return {
    ...queue,
    lock: () => other.query('begin; lock table graphile_worker._private_jobs in access exclusive mode'),
    /** Visible to others once the lock is released. */
    addWhileLocked: (name: string) =>
      other.query(`select graphile_worker.add_job('delete-object', $1)`, [{ storage_key: name }]),
    unlock: () => other.query('commit'),
    untilBlocked: () =>
      vi.waitFor(async () => {
        const { rowCount } = await queue.pool.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%skip locked%'`,
        );
        expect(rowCount).toBeGreaterThan(0);
      }, 10_000),
    /** Not on the connection with the lock: within its transaction pg_stat_activity is a snapshot. */
    breakSavingOutcome: () =>
      vi.waitFor(async () => {
        const { rowCount } = await queue.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from %where id = $1::bigint'`,
        );
        expect(rowCount).toBe(1);
      }, 10_000),
    async end() {
      await queue.end();
      await other.end();
    },
  };
}

it.concurrent('A job fetched while the queue gave up still runs, and its end does not stop the server', async () => {
  const letFirstEnd = Promise.withResolvers<void>();
  const queue = await startLockableQueue(async (name) => {
    if (name === 'first') await letFirstEnd.promise;
  });
  await queue.add('first');
  await queue.untilBegun('first');
  // From now on a worker that fetches a job blocks, and gets the second one in the end.
  await queue.lock();
  await queue.addWhileLocked('second');
  await queue.untilBlocked();
  letFirstEnd.resolve();
  await queue.breakSavingOutcome();
  await queue.untilReplaced();
  await queue.unlock();
  await queue.untilBegun('second');
  await queue.add('later');
  await queue.untilBegun('later');
  await queue.end();
}, 90_000);

it.concurrent('A long job that runs while the queue gives up blocks no other, and its outcome is saved', async () => {
  const letFirstEnd = Promise.withResolvers<void>();
  const letLongEnd = Promise.withResolvers<void>();
  const queue = await startLockableQueue(async (name) => {
    if (name === 'first') await letFirstEnd.promise;
    if (name === 'long') await letLongEnd.promise;
  });
  const keysHeld = async () => {
    const { rows } = await queue.pool.query(
      'select key from graphile_worker._private_jobs where locked_by is not null',
    );
    return rows.map(({ key }) => key);
  };
  await queue.add('first');
  await queue.add('long');
  await queue.untilBegun('first', 'long');
  await queue.lock();
  letFirstEnd.resolve();
  await queue.breakSavingOutcome();
  await queue.unlock();
  await queue.add('later');
  await queue.untilBegun('later');
  expect(await keysHeld()).toContain('long');
  letLongEnd.resolve();
  await vi.waitFor(async () => expect(await keysHeld()).not.toContain('long'), 10_000);
  await queue.end();
}, 60_000);
