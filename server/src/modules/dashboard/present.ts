import type { DashboardResponse } from '@customer-database/contract/dashboard';
import type { UnusualReading } from '../activity/bulk-reading.ts';
import type { Dashboard } from './commands.ts';
import type { ActivityRow } from './repo.ts';

export function presentDashboard(dashboard: Dashboard): DashboardResponse {
  const { figures, maintenance } = dashboard;
  return {
    customers: { total: figures.customers, change_percent: dashboard.customerGrowth },
    documents: { total: figures.documents, change_percent: dashboard.documentGrowth },
    active_users: figures.active_users ?? 0,
    documents_this_month: figures.documents_this_month,
    last_backup_at: timeOrNull(figures.last_backup_at),
    maintenance: maintenance && {
      backup_failed_at: timeOrNull(maintenance.backupFailedAt),
      check_failed_at: timeOrNull(maintenance.checkFailedAt),
      last_check_at: timeOrNull(maintenance.lastCheckAt),
      last_check_problems: maintenance.lastCheckProblems,
      texts_waiting: maintenance.textsWaiting,
    },
    unusual_reading: dashboard.unusual?.map(presentReading) ?? null,
    started_at: dashboard.startedAt.toISOString(),
    uptime_seconds: dashboard.uptimeSeconds,
    recent_activity: dashboard.activity.map(presentActivity),
  };
}

const timeOrNull = (time: Date | null) => time?.toISOString() ?? null;

function presentReading(row: UnusualReading) {
  return {
    user_id: row.user_id,
    name: row.name,
    at: row.at.toISOString(),
    views: row.views,
    downloads: row.downloads,
  };
}

function presentActivity(row: ActivityRow): DashboardResponse['recent_activity'][number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor_name: row.actor_label,
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    subject_label: row.subject_label,
  };
}
