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

it('A job that was given out while the queue gave up is done, and its end does not end the server', async () => {
  const url = await createTestDatabase();
  const pool = createPool(url, 10, createLog('silent'));
  const db = createDatabase(pool);
  const begun: string[] = [];
  const letFirstEnd = Promise.withResolvers<void>();
  const deleteObject = async ({ storage_key }: { storage_key: string }) => {
    begun.push(storage_key);
    if (storage_key === 'first') await letFirstEnd.promise;
  };
  const handlers = { 'delete-object': deleteObject } as unknown as JobHandlers;
  const worker = await startJobWorker(pool, handlers, createLog('silent'), new AbortController().signal);
  await enqueue(db, 'delete-object', { storage_key: 'first' }, 'first');
  await vi.waitFor(() => expect(begun).toEqual(['first']), { timeout: 10_000 });
  await pool.query(
    `select graphile_worker.add_job('delete-object', '{"storage_key":"second"}', run_at => now() + interval '1 second')`,
  );

  // Whoever asks for a job from now on waits, and is given the second one in the end.
  const other = new pg.Client(url);
  await other.connect();
  await other.query('begin; lock table graphile_worker._private_jobs in access exclusive mode');
  await delay(4_000);
  letFirstEnd.resolve();
  // Its outcome cannot be saved, and the queue gives up. Not asked by the one that holds the lock: within a
  // transaction the list of statements stays as it was when first read.
  const cutOff = async () => {
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from %where id = $1::bigint'`,
    );
    expect(rowCount).toBe(1);
  };
  await vi.waitFor(cutOff, { timeout: 10_000 });
  // Longer than a queue that gives up is given for its end.
  await delay(7_000);
  await other.query('rollback');
  await other.end();
  await vi.waitFor(() => expect(begun).toContain('second'), { timeout: 30_000 });
  await enqueue(db, 'delete-object', { storage_key: 'later' }, 'later');
  await vi.waitFor(() => expect(begun).toContain('later'), { timeout: 30_000 });
  await worker.stop();
  await pool.end();
}, 90_000);
