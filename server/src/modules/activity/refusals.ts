import type { ActivityAction } from '@customer-database/contract/activity';
import { type Context, inTransaction, systemContext } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { networkOf } from '../../http/network.ts';
import { recordActivity, type Subject } from './commands.ts';
import * as repo from './repo.ts';

/** What somebody can be refused without end, at no cost to them. */
type Refusal = Extract<ActivityAction, 'access.denied' | 'link.refused'>;

const rowEveryMs = 60_000;

/**
 * One row a minute for each person, network and action, however often they ask: those in between are counted,
 * and `more` of the next row says how many they were.
 */
export async function recordRefusal(
  ctx: Context,
  action: Refusal,
  subject: Subject,
  detail?: Record<string, unknown>,
): Promise<void> {
  const key = `${action}:${ctx.actor.id ?? ''}:${networkOf(ctx.address)}`;
  const now = ctx.deps.clock.now();
  if (await repo.countOneMore(ctx.db, key, now)) return;
  const isWritten = await inTransaction(ctx, async (tx) => {
    const more = await repo.takeDueCount(tx.db, key, now);
    const isFirst = await repo.beginCount(tx.db, {
      key,
      action,
      actor_id: ctx.actor.id,
      actor_label: ctx.actor.label,
      subject_type: subject.type,
      address: ctx.address,
      next_row_at: new Date(now.getTime() + rowEveryMs),
    });
    if (!isFirst) return false;
    await recordActivity(tx, action, subject, more > 0 ? { ...detail, more } : detail);
    return true;
  });
  // Another one at this very moment was quicker.
  if (!isWritten) await repo.countOneMore(ctx.db, key, now);
}

/** Writes down what was counted and never followed by a row. */
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
