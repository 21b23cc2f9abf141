import { type ActivityAction, shownActions } from '@customer-database/contract/activity';
import type { Context } from '../../core/context.ts';
import { insertActivity } from './repo.ts';

const shown: ReadonlySet<ActivityAction> = new Set<ActivityAction>(shownActions);

export type Subject = {
  type: 'user' | 'customer' | 'document' | 'route' | 'backup' | 'check';
  id: number | null;
  label: string | null;
};

/** Adds a row to the log, in the caller's transaction if there is one: no change without its row. */
export async function recordActivity(
  ctx: Context,
  action: ActivityAction,
  subject: Subject,
  detail?: Record<string, unknown>,
): Promise<void> {
  await insertActivity(ctx.db, {
    at: ctx.deps.clock.now(),
    action,
    actor_id: ctx.actor.id,
    actor_label: ctx.actor.label,
    subject_type: subject.type,
    subject_id: subject.id,
    subject_label: subject.label,
    address: ctx.address,
    request_id: ctx.requestId,
    detail: detail ? JSON.stringify(detail) : null,
    shown: shown.has(action),
  });
}
