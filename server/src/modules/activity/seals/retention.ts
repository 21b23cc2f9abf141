import { inTransaction, systemContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { forwardedThrough } from '../forwarding/forward.ts';
import * as repo from './repo.ts';
import { addSeal } from './seal.ts';

const dayMs = 24 * 3_600_000;
// Less than a day, so that it happens every day.
const intervalMs = 23 * 3_600_000;
/** Twenty thousand rows at most: a few seconds for the statement that removes them. */
const sealsAtOnce = 20;

/** The seals of which every row is older, from the oldest on. */
async function findOldSeals(deps: Deps, before: Date): Promise<repo.SealRow[]> {
  const old: repo.SealRow[] = [];
  const forwarded = await forwardedThrough(deps);
  for (const seal of await repo.listRemovable(deps.db, sealsAtOnce)) {
    if (seal.through_id > forwarded) break;
    const newest = await repo.newestBetween(deps.db, old.at(-1)?.through_id ?? 0, seal.through_id);
    if ((newest ?? seal.sealed_at) >= before) break;
    old.push(seal);
  }
  return old;
}

async function removeSeals(deps: Deps, last: repo.SealRow): Promise<void> {
  await inTransaction(systemContext(deps), async ({ db }) => {
    const removal = await repo.findNewestRemoval(db);
    const newest = await repo.findNewestSeal(db);
    const rows = await repo.removeRows(db, last.through_id, last.id);
    await addSeal({ ...deps, db }, newest, {
      kind: 'removal',
      through_id: newest?.through_id ?? last.through_id,
      row_count: rows,
      removed: {
        seal: last.id,
        hash: last.hash.toString('hex'),
        through_id: last.through_id,
        total: (removal?.removed?.total ?? 0) + rows,
      },
    });
  });
}

/** Once a day removes rows that are older than the setting, with their seals. A new seal says how many went. */
export async function removeOldActivity(deps: Deps): Promise<void> {
  const { activityKeepDays } = deps.config;
  if (activityKeepDays === undefined) return;
  const now = deps.clock.now().getTime();
  const removal = await repo.findNewestRemoval(deps.db);
  if (removal && now - removal.sealed_at.getTime() < intervalMs) return;
  while (!deps.stopping.aborted) {
    const old = await findOldSeals(deps, new Date(now - activityKeepDays * dayMs));
    const last = old.at(-1);
    if (!last) return;
    await removeSeals(deps, last);
  }
}
