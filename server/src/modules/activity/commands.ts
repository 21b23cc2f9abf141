import type { Context } from '../../core/context.ts';
import { insertActivity } from './repo.ts';

export type Action =
  | 'sign_in.succeeded'
  | 'sign_in.failed'
  | 'sign_out'
  | 'session.confirmed'
  | 'access.denied'
  | 'credential.refused'
  | 'password.changed'
  | 'password.reset'
  | 'mfa.enabled'
  | 'mfa.disabled'
  | 'mfa.reset'
  | 'account.unlocked'
  | 'user.registered'
  | 'user.invited'
  | 'user.updated'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.role_changed'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.deleted'
  | 'customers.imported'
  | 'customers.exported'
  | 'document.uploaded'
  | 'document.upload_refused'
  | 'document.deleted'
  | 'document.link_issued'
  | 'document.downloaded'
  | 'document.viewed'
  | 'link.refused'
  | 'backup.completed'
  | 'backup.failed'
  | 'backup.restored'
  | 'check.completed'
  | 'check.failed';

/** The changes that every user sees among the recent ones on the dashboard. */
const shownActions: ReadonlySet<Action> = new Set<Action>([
  'user.registered',
  'user.invited',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customers.imported',
  'document.uploaded',
  'document.deleted',
]);

export type Subject = {
  type: 'user' | 'customer' | 'document' | 'route' | 'backup' | 'check';
  id: number | null;
  label: string | null;
};

/** Adds a row to the log, in the caller's transaction if there is one: no row, no change. */
export async function recordActivity(
  ctx: Context,
  action: Action,
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
    shown: shownActions.has(action),
  });
}
