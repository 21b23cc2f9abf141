import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../db/client.ts';
import * as repo from './repo.ts';

const pollMs = 50;
const maxWaitMs = 20_000;

/**
 * An id up to which no further row can appear. Transactions get ids before they commit, so this waits for the open ones
 * that may have got an id.
 */
export async function findSettledId(db: Database, stopping: AbortSignal): Promise<number> {
  const newest = Math.min(await repo.lastIssuedId(db), Number.MAX_SAFE_INTEGER);
  const writers = new Set(await repo.findWriters(db));
  const deadline = performance.now() + maxWaitMs;
  while (writers.size > 0) {
    stopping.throwIfAborted();
    if (performance.now() > deadline) {
      throw new Error('a transaction that may add a row to the activity log did not end in time');
    }
    await delay(pollMs);
    const open = new Set(await repo.findWriters(db));
    for (const writer of writers) if (!open.has(writer)) writers.delete(writer);
  }
  return newest;
}
