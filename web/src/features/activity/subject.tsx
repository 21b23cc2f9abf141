import type { Activity } from '@customer-database/contract/activity-response';
import { paths } from '../../lib/paths.ts';
import { UserLink, UserText } from '../../ui/user-text.tsx';

/** The screen of a customer or document that has not been deleted by this action. */
function pathOf({ action, subject_type, subject_id }: Activity): string | undefined {
  if (subject_id === null || action.endsWith('.deleted')) return undefined;
  if (subject_type === 'customer') return paths.customer(subject_id);
  return subject_type === 'document' ? paths.document(subject_id) : undefined;
}

export function Subject({ row }: { row: Activity }) {
  const to = pathOf(row);
  const label =
    row.subject_label ?? (row.subject_id === null ? null : `${row.subject_type} ${row.subject_id}`);
  return to && label ? <UserLink to={to}>{label}</UserLink> : <UserText>{label}</UserText>;
}
