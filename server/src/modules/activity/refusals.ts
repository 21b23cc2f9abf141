import { type Context, inTransaction, systemContext } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/network.ts';
import { type Action, recordActivity, type Subject } from './commands.ts';

/** What somebody can be refused without end, at no cost to them. */
type Refusal = Extract<Action, 'access.denied' | 'link.refused'>;

const rowEveryMs = 60_000;

const keyOf = (ctx: Context, action: Refusal) => `${action}:${ctx.actor.id ?? ''}:${networkOf(ctx.address)}`;

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
  if (await countAsOneMore(ctx, action)) return;
  const isWritten = await inTransaction(ctx, async (tx) => {
    const more = await takeCount(tx, action);
    if (!(await beginCount(tx, action, subject))) return false;
    await recordActivity(tx, action, subject, more > 0 ? { ...detail, more } : detail);
    return true;
  });
  // Another one at this very moment was quicker.
  if (!isWritten) await countAsOneMore(ctx, action);
}

async function countAsOneMore(ctx: Context, action: Refusal): Promise<boolean> {
  const counted = await ctx.db
    .updateTable('counted_refusals')
    .set((eb) => ({ more: eb('more', '+', 1) }))
    .where('key', '=', keyOf(ctx, action))
    .where('next_row_at', '>', ctx.deps.clock.now())
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

async function takeCount(ctx: Context, action: Refusal): Promise<number> {
  const taken = await ctx.db
    .deleteFrom('counted_refusals')
    .where('key', '=', keyOf(ctx, action))
    .where('next_row_at', '<=', ctx.deps.clock.now())
    .returning('more')
    .executeTakeFirst();
  return taken?.more ?? 0;
}

async function beginCount(ctx: Context, action: Refusal, subject: Subject): Promise<boolean> {
  const begun = await ctx.db
    .insertInto('counted_refusals')
    .values({
      key: keyOf(ctx, action),
      action,
      actor_id: ctx.actor.id,
      actor_label: ctx.actor.label,
      subject_type: subject.type,
      address: ctx.address,
      next_row_at: new Date(ctx.deps.clock.now().getTime() + rowEveryMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (begun.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Writes down what was counted and never followed by a row. */
export async function recordCountedRefusals(deps: Deps): Promise<void> {
  await inTransaction(systemContext(deps), async (tx) => {
    const counted = await tx.db
      .deleteFrom('counted_refusals')
      .where('next_row_at', '<=', deps.clock.now())
      .returning(['action', 'actor_id', 'actor_label', 'subject_type', 'address', 'more'])
      .execute();
    for (const { action, actor_id, actor_label, subject_type, address, more } of counted) {
      if (more === 0) continue;
      const ctx = { ...tx, actor: { id: actor_id, label: actor_label }, address };
      await recordActivity(ctx, action, { type: subject_type, id: null, label: null }, { more });
    }
  });
}
