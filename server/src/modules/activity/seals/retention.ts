import { inTransaction, systemContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { forwardedThrough } from '../forwarding/mark.ts';
import { findOpening, findRemoved, findVerifiedNewest, type Link, readChain } from './chain.ts';
import { readNote, writeNote } from './note.ts';
import * as repo from './repo.ts';
import { compareWithSeal, type RowCheck } from './row-check.ts';
import { addSeal } from './seal.ts';

const dayMs = 24 * 3_600_000;
// Less than a day, so that it happens every day.
const intervalMs = 23 * 3_600_000;
/** Twenty thousand rows at most: a few seconds for the statement that removes them. */
const sealsAtOnce = 20;

export class RetentionRefused extends Error {
  override name = 'RetentionRefused';
}

/**
 * The rows of a seal, which must be the ones that were sealed: the times of other rows mean nothing. Returns the newest
 * time.
 */
async function findNewestTime(deps: Deps, check: RowCheck, seal: repo.SealRow, after: number): Promise<Date> {
  const rows = await repo.listRows(deps.db, after, seal.through_id, seal.row_count + 1);
  const [problem] = compareWithSeal(check, seal, rows);
  if (problem) throw new RetentionRefused(`Nothing older is removed from the activity log: ${problem.text}`);
  const newest = Math.max(...rows.map(({ at }) => at.getTime()));
  return rows.length > 0 ? new Date(newest) : seal.sealed_at;
}

/** The last of the seals of which every row is older than `before`, from the oldest on. */
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
    if (seal.id >= newest.id || seal.id > forwarded || count > sealsAtOnce) break;
    const time =
      seal.kind === 'rows' ? await findNewestTime(deps, check, seal, sealedThrough) : seal.sealed_at;
    if (time >= before) break;
    sealedThrough = seal.through_id;
    last = seal;
  }
  return last;
}

/** Undefined when another server has added a seal meanwhile. */
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
    if (!seal) throw new AnotherWasFaster();
    return seal;
  });
  return work.catch((error: unknown) => {
    if (error instanceof AnotherWasFaster) return undefined;
    throw error;
  });
}

class AnotherWasFaster extends Error {}

/**
 * Once a day removes rows that are older than the setting, with their seals. A new seal says how many went. Everything
 * that is removed was verified first: otherwise a changed time would be enough to have a row removed.
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
