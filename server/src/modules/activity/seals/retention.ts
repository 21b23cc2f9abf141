import { inTransaction, systemContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { forwardedThrough } from '../forwarding/mark.ts';
import { findOpening, findRemoved, findVerifiedNewest, type Link, readChain } from './chain.ts';
import { readNote, writeNote } from './note.ts';
import * as repo from './repo.ts';
import { compareWithSeal, type RowCheck } from './row-check.ts';
import { addSeal } from './seal.ts';

const dayMs = 24 * 3_600_000;
// Less than a day, so that a pass of every day is late enough.
const intervalMs = 23 * 3_600_000;
/** At most 20,000 rows, which PostgreSQL deletes in a few seconds. */
const maxSealsPerRemoval = 20;

export class RetentionRefused extends Error {
  override name = 'RetentionRefused';
}

/** The time of the newest row of a seal. Throws if its rows are not as they were sealed. */
async function findNewestTime(deps: Deps, check: RowCheck, seal: repo.SealRow, after: number): Promise<Date> {
  const rows = await repo.listRows(deps.db, after, seal.through_id, seal.row_count + 1);
  const [problem] = compareWithSeal(check, seal, rows);
  if (problem) throw new RetentionRefused(`Nothing older is removed from the activity log: ${problem.text}`);
  const newest = Math.max(...rows.map(({ at }) => at.getTime()));
  return rows.length > 0 ? new Date(newest) : seal.sealed_at;
}

/** The last of the oldest seals whose rows are all older than `before`. */
async function findLastOldSeal(deps: Deps, newest: Link, before: Date): Promise<repo.SealRow | undefined> {
  const { db, keys } = deps;
  const opening = await findOpening(db, keys.activity);
  const check = { key: keys.activity, acceptedThrough: opening.through_id };
  const forwarded = await forwardedThrough(deps);
  let last: repo.SealRow | undefined;
  let sealedThrough = 0;
  let count = 0;
  for await (const seal of readChain(db, keys.activity, (await findRemoved(db, keys.activity)) ?? opening)) {
    count += 1;
    if (seal.id >= newest.id || seal.id > forwarded || count > maxSealsPerRemoval) break;
    const time =
      seal.kind === 'rows' ? await findNewestTime(deps, check, seal, sealedThrough) : seal.sealed_at;
    if (time >= before) break;
    sealedThrough = seal.through_id;
    last = seal;
  }
  return last;
}

/** Undefined if another server has added a seal meanwhile. */
function removeThrough(
  deps: Deps,
  last: repo.SealRow,
  newest: Link & { through_id: number },
): Promise<Link | undefined> {
  const work = inTransaction(systemContext(deps), async ({ db }) => {
    const removed = await findRemoved(db, deps.keys.activity);
    const rows = await repo.removeRows(db, last.through_id, last.id);
    const seal = await addSeal({ ...deps, db }, newest, {
      kind: 'removal',
      through_id: newest.through_id,
      row_count: rows,
      removed: {
        seal: last.id,
        hash: last.hash.toString('hex'),
        through_id: last.through_id,
        total: (removed?.total ?? 0) + rows,
      },
    });
    if (!seal) throw new SealAddedMeanwhile();
    return seal;
  });
  return work.catch((error: unknown) => {
    if (error instanceof SealAddedMeanwhile) return undefined;
    throw error;
  });
}

class SealAddedMeanwhile extends Error {}

/**
 * Once a day, removes the rows that are older than the setting, with their seals, and adds a seal that records how
 * many. Verifies the rows first, or an attacker could have a row removed by changing its time.
 */
export async function removeOldActivity(deps: Deps): Promise<void> {
  const { activityKeepDays, dataDir } = deps.config;
  if (activityKeepDays === undefined) return;
  const now = deps.clock.now().getTime();
  const removal = await repo.findNewestRemoval(deps.db);
  if (removal && now - removal.sealed_at.getTime() < intervalMs) return;
  while (!deps.stopping.aborted) {
    const { newest } = await findVerifiedNewest(deps.db, deps.keys.activity, await readNote(dataDir));
    if (!newest) return;
    const last = await findLastOldSeal(deps, newest, new Date(now - activityKeepDays * dayMs));
    if (!last) return;
    const sealed = await removeThrough(deps, last, newest);
    if (!sealed) return;
    await writeNote(dataDir, sealed);
  }
}
