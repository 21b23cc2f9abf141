import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { enqueue } from '../../src/jobs/queue.ts';
import { type JobHandlers, startJobWorker } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/log.ts';
import { createBreakableDatabase } from '../support/breakable-database.ts';

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
