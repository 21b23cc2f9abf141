import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';

const total = z.object({
  total: field.count,
  change_percent: z
    .number()
    .nullable()
    .describe(
      'What the last 30 days added, against the total before them; null when there was nothing before',
    ),
});

export const activityItem = z.object({
  id: z.int(),
  at: field.timestamp,
  action: z.string().describe('Such as document.uploaded'),
  actor_name: z.string().nullable(),
  subject_type: z.string(),
  subject_id: z.int().nullable(),
  subject_label: z.string().nullable(),
});

export const maintenance = z.object({
  backup_failed_at: field.timestamp.nullable().describe('When the last backup failed; null when it did not'),
  check_failed_at: field.timestamp
    .nullable()
    .describe('When the last check could not be finished; null when it could'),
  last_check_at: field.timestamp.nullable(),
  last_check_problems: field.count.nullable().describe('Found by the last check and not repaired by it'),
  texts_waiting: field.count.describe(
    `Documents whose text is still to be read; counted up to ${limits.maxWaitingCount}`,
  ),
});

export const unusualReading = z.object({
  user_id: z.int(),
  name: z.string(),
  at: field.timestamp,
  views: field.count,
  downloads: field.count,
});

export const dashboardResponse = z.object({
  customers: total,
  documents: total,
  active_users: field.count.describe('Users seen in the last 30 days'),
  documents_this_month: field.count,
  last_backup_at: field.timestamp.nullable(),
  maintenance: maintenance.nullable().describe('For administrators; null for others'),
  unusual_reading: z
    .array(unusualReading)
    .nullable()
    .describe(
      'Who read unusually much within an hour, in the last days; for administrators, null for others',
    ),
  started_at: field.timestamp,
  uptime_seconds: field.count,
  recent_activity: z.array(activityItem),
});
export type DashboardResponse = z.infer<typeof dashboardResponse>;
