import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { enqueue } from '../../src/jobs/queue.ts';
import { type JobHandlers, startJobWorker } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/log.ts';
import { createBreakableDatabase } from '../support/breakable-database.ts';
import { createTestDatabase } from '../support/test-app.ts';

it('Jobs go on after an outage in which the outcomes of several could not be saved', async () => {
  const database = await createBreakableDatabase();
  const pool = createPool(database.url, 10, createLog('silent'));
  const db = createDatabase(pool);
  const begun: string[] = [];
  const together = ['one', 'two', 'three', 'four'];
  const letThemEnd = Promise.withResolvers<void>();
  const deleteObject = async ({ storage_key }: { storage_key: string }) => {
    begun.push(storage_key);
    if (storage_key === 'later') return;
    await letThemEnd.promise;
    // Not at the same moment, when their outcomes would be saved together.
    await delay(100 * together.indexOf(storage_key));
  };
  const handlers = { 'delete-object': deleteObject } as unknown as JobHandlers;
  const worker = await startJobWorker(pool, handlers, createLog('silent'), new AbortController().signal);
  for (const storage_key of together) await enqueue(db, 'delete-object', { storage_key }, storage_key);
  await vi.waitFor(() => expect(begun.toSorted()).toEqual(together.toSorted()), { timeout: 10_000 });

  await database.takeAway();
  letThemEnd.resolve();
  // Until all of them were told that their outcome is not saved.
  await delay(1_000);
  await database.bringBack();
  await vi.waitFor(() => enqueue(db, 'delete-object', { storage_key: 'later' }, 'later'), {
    timeout: 10_000,
  });
  await vi.waitFor(() => expect(begun).toContain('later'), { timeout: 30_000 });
  await worker.stop();
  await pool.end();
}, 60_000);

/** A queue of ours, and a lock behind which the outcome of no job can be saved. */
async function startLockable(handle: (key: string) => Promise<void>) {
  const url = await createTestDatabase();
  const pool = createPool(url, 10, createLog('silent'));
  const db = createDatabase(pool);
  const begun: string[] = [];
  const deleteObject = async ({ storage_key }: { storage_key: string }) => {
    begun.push(storage_key);
    await handle(storage_key);
  };
  const handlers = { 'delete-object': deleteObject } as unknown as JobHandlers;
  const worker = await startJobWorker(pool, handlers, createLog('silent'), new AbortController().signal);
  const other = new pg.Client(url);
  await other.connect();

  return {
    pool,
    /** Again where it meets the connection that was cut off, which the pool notices in a moment. */
    add: (key: string) => vi.waitFor(() => enqueue(db, 'delete-object', { storage_key: key }, key), 10_000),
    untilBegun: (...keys: string[]) =>
      vi.waitFor(() => expect(begun).toEqual(expect.arrayContaining(keys)), { timeout: 30_000 }),
    lock: () => other.query('begin; lock table graphile_worker._private_jobs in access exclusive mode'),
    unlock: () => other.query('rollback'),
    /** Not asked by the one that holds the lock: within a transaction the list stays as it was when first read. */
    cutOffOutcome: () =>
      vi.waitFor(async () => {
        const { rowCount } = await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from %where id = $1::bigint'`,
        );
        expect(rowCount).toBe(1);
      }, 10_000),
    async end() {
      await worker.stop();
      await other.end();
      await pool.end();
    },
  };
}

it('A job that was given out while the queue gave up is done, and its end does not end the server', async () => {
  const letFirstEnd = Promise.withResolvers<void>();
  const queue = await startLockable(async (key) => {
    if (key === 'first') await letFirstEnd.promise;
  });
  await queue.add('first');
  await queue.untilBegun('first');
  await queue.pool.query(
    `select graphile_worker.add_job('delete-object', '{"storage_key":"second"}', run_at => now() + interval '1 second')`,
  );
  // Whoever asks for a job from now on waits, and is given the second one in the end.
  await queue.lock();
  await delay(4_000);
  letFirstEnd.resolve();
  await queue.cutOffOutcome();
  // Longer than until a queue that gives up is looked after and replaced.
  await delay(15_000);
  await queue.unlock();
  await queue.untilBegun('second');
  await queue.add('later');
  await queue.untilBegun('later');
  await queue.end();
}, 90_000);

it('A job of hours that runs while the queue gives up keeps no other waiting, and its outcome is saved', async () => {
  const letFirstEnd = Promise.withResolvers<void>();
  const letLongEnd = Promise.withResolvers<void>();
  const queue = await startLockable(async (key) => {
    if (key === 'first') await letFirstEnd.promise;
    if (key === 'long') await letLongEnd.promise;
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
  await queue.cutOffOutcome();
  await queue.unlock();
  await queue.add('later');
  await queue.untilBegun('later');
  expect(await keysHeld()).toContain('long');
  letLongEnd.resolve();
  await vi.waitFor(async () => expect(await keysHeld()).not.toContain('long'), 10_000);
  await queue.end();
}, 60_000);
