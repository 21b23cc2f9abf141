import type { Activity } from '@customer-database/contract/activity-response';
import { limits } from '@customer-database/contract/limits';

const actionFor: Record<string, string> = { view: 'document.viewed', download: 'document.downloaded' };

/** Whether the row records the use of this link, which is older. */
function isUseOf(link: Activity, row: Activity): boolean {
  const secondsBetween = (Date.parse(row.at) - Date.parse(link.at)) / 1000;
  return (
    row.action === actionFor[String(link.detail?.purpose)] &&
    row.actor_id === link.actor_id &&
    row.subject_id === link.subject_id &&
    secondsBetween <= limits.linkLifetimeSeconds
  );
}

/** Leaves out links that were used: the log has a row for the link and one for its use. Rows are newest first. */
export const withoutUsedLinks = (rows: Activity[]): Activity[] =>
  rows.filter(
    (link, index) =>
      link.action !== 'document.link_issued' || !rows.slice(0, index).some((row) => isUseOf(link, row)),
  );
