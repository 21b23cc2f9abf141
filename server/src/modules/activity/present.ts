import { outcomeOf } from '@customer-database/contract/activity';
import type { Activity } from '@customer-database/contract/activity-response';
import type { ListedActivity } from './list-repo.ts';

export function presentActivity(row: ListedActivity): Activity {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: outcomeOf(row.action),
    actor_id: row.actor_id,
    actor_name: row.actor_label,
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    subject_label: row.subject_label,
    customer_id: row.customer_id,
    address: row.address,
    request_id: row.request_id,
    detail: row.detail,
    changes: row.changes,
  };
}
