import type { Deps } from '../../deps.ts';
import { findKnownStorageKeys } from './repo.ts';

// Longer than any upload can take: what is younger may still get its row.
const leftoverAgeMs = 24 * 3_600_000;
const batchSize = 500;

async function deleteLeftovers(deps: Deps, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const known = await findKnownStorageKeys(deps.db, keys);
  const leftovers = keys.filter((key) => !known.has(key));
  for (const key of leftovers) await deps.storage.delete(key);
  return leftovers.length;
}

/** Removes what a crash between storing an object and saving its row left behind. */
export async function sweepObjects(deps: Deps): Promise<number> {
  const before = deps.clock.now().getTime() - leftoverAgeMs;
  let removed = 0;
  let batch: string[] = [];
  for await (const object of deps.storage.list('documents/')) {
    if (object.modifiedAt.getTime() > before) continue;
    batch.push(object.key);
    if (batch.length === batchSize) {
      removed += await deleteLeftovers(deps, batch);
      batch = [];
    }
  }
  removed += await deleteLeftovers(deps, batch);
  if (removed > 0) deps.log.info({ removed }, 'removed objects without a document');
  return removed;
}
