import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../db/client.ts';
import * as repo from './repo.ts';

const pollMs = 50;
const maxWaitMs = 20_000;

/**
 * An id at and below which no row can appear any more. Ids are given out before rows are committed, so the newest row is
 * not enough: this waits for the transactions that may have got an id. Undefined when one goes on for too long.
 */
export async function findSettledId(db: Database, stopping: AbortSignal): Promise<number | undefined> {
  const newest = await repo.lastIssuedId(db);
  const writers = new Set(await repo.findWriters(db));
  const deadline = performance.now() + maxWaitMs;
  while (writers.size > 0) {
    if (stopping.aborted || performance.now() > deadline) return undefined;
    await delay(pollMs);
    const still = new Set(await repo.findWriters(db));
    for (const writer of writers) if (!still.has(writer)) writers.delete(writer);
  }
  return newest;
}
