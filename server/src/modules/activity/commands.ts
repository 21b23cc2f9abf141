import { randomBytes } from 'node:crypto';
import { type ActivityAction, shownActions } from '@customer-database/contract/activity';
import type { Changes } from '@customer-database/contract/activity-response';
import type { Context } from '../../core/context.ts';
import type { SubjectType } from '../../db/schema.ts';
import { insertActivity } from './repo.ts';
import { hashOfValues, macOfRow, saltBytes } from './seals/proof.ts';

const shown: ReadonlySet<ActivityAction> = new Set<ActivityAction>(shownActions);

export type Subject = {
  type: SubjectType;
  id: number | null;
  label: string | null;
  /** The customer itself, or that of the document. */
  customerId?: number | undefined;
};

type Facts = { detail?: Record<string, unknown> | undefined; changes?: Changes };

async function insert(ctx: Context, action: ActivityAction, subject: Subject, { detail, changes }: Facts) {
  const proven = {
    at: ctx.deps.clock.now(),
    action,
    actor_id: ctx.actor.id,
    actor_label: ctx.actor.label,
    subject_type: subject.type,
    subject_id: subject.id,
    customer_id: subject.customerId ?? null,
    address: ctx.address,
    request_id: ctx.requestId,
    shown: shown.has(action),
  };
  const salt = randomBytes(saltBytes);
  const valuesHash = hashOfValues(salt, { subject_label: subject.label, detail, changes });
  const [kept] = await insertActivity(ctx.db, {
    ...proven,
    subject_label: subject.label,
    detail: detail ? JSON.stringify(detail) : null,
    changes: changes ? JSON.stringify(changes) : null,
    salt,
    mac: macOfRow(ctx.deps.keys.activity, proven, valuesHash),
  });
  // An attacker's trigger could drop the row without an error.
  if (!kept) throw new Error('the database did not keep a row of the activity log');
}

/** Call it in the transaction of the change, so that no change is without its row. */
export async function recordActivity(
  ctx: Context,
  action: ActivityAction,
  subject: Subject,
  detail?: Record<string, unknown>,
): Promise<void> {
  await insert(ctx, action, subject, { detail });
}

/** Like `recordActivity`, with old and new values. */
export async function recordChanges(
  ctx: Context,
  action: ActivityAction,
  subject: Subject,
  changes: Changes,
): Promise<void> {
  await insert(ctx, action, subject, { changes });
}
