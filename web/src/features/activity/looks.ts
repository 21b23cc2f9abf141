import type { Activity } from '@customer-database/contract/activity-response';
import { limits } from '@customer-database/contract/limits';

const lookOf: Record<string, string> = { view: 'document.viewed', download: 'document.downloaded' };

/** Whether the row is the look at a document that this link, which is older, was made for. */
function isLookBy(link: Activity, row: Activity): boolean {
  const secondsBetween = (Date.parse(row.at) - Date.parse(link.at)) / 1000;
  return (
    row.action === lookOf[String(link.detail?.purpose)] &&
    row.actor_id === link.actor_id &&
    row.subject_id === link.subject_id &&
    secondsBetween <= limits.linkLifetimeSeconds
  );
}

/** Newest first. One look at a document is two rows of the log, the link and its use, but one for the reader. */
export const withoutUsedLinks = (rows: Activity[]): Activity[] =>
  rows.filter(
    (link, index) =>
      link.action !== 'document.link_issued' || !rows.slice(0, index).some((row) => isLookBy(link, row)),
  );
