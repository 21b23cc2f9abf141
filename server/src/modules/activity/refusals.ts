import type { ActivityAction } from '@customer-database/contract/activity';
import { type Context, inTransaction, systemContext } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { networkOf } from '../../http/network.ts';
import { recordActivity, type Subject } from './commands.ts';
import * as repo from './repo.ts';

/** Refusals that a client can cause in any number at no cost. */
type Refusal = Extract<ActivityAction, 'access.denied' | 'link.refused'>;

const rowIntervalMs = 60_000;

/**
 * Adds at most one row a minute for each actor, network and action. The refusals in between are counted, and the next
 * row has their number as `more`.
 */
export async function recordRefusal(
  ctx: Context,
  action: Refusal,
  subject: Subject,
  detail?: Record<string, unknown>,
): Promise<void> {
  const key = `${action}:${ctx.actor.id ?? ''}:${networkOf(ctx.address)}`;
  const now = ctx.deps.clock.now();
  if (await repo.addToCount(ctx.db, key, now)) return;
  const isWritten = await inTransaction(ctx, async (tx) => {
    const more = await repo.takeDueCount(tx.db, key, now);
    const isFirst = await repo.startCount(tx.db, {
      key,
      action,
      actor_id: ctx.actor.id,
      actor_label: ctx.actor.label,
      subject_type: subject.type,
      address: ctx.address,
      next_row_at: new Date(now.getTime() + rowIntervalMs),
    });
    if (!isFirst) return false;
    await recordActivity(tx, action, subject, more > 0 ? { ...detail, more } : detail);
    return true;
  });
  // A concurrent refusal started the count first.
  if (!isWritten) await repo.addToCount(ctx.db, key, now);
}

/** Adds rows for counts that no later refusal has reported. */
export async function recordCountedRefusals(deps: Deps): Promise<void> {
  await inTransaction(systemContext(deps), async (tx) => {
    const counted = await repo.takeAllDueCounts(tx.db, deps.clock.now());
    for (const { action, actor_id, actor_label, subject_type, address, more } of counted) {
      if (more === 0) continue;
      const ctx = { ...tx, actor: { id: actor_id, label: actor_label }, address };
      await recordActivity(ctx, action, { type: subject_type, id: null, label: null }, { more });
    }
  });
}
