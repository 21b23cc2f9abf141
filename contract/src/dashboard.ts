import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';

const total = z.object({
  total: field.count,
  change_percent: z
    .number()
    .nullable()
    .describe('Growth over the last 30 days; null if there were no records before'),
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
  backup_failed_at: field.timestamp.nullable().describe('When the last backup failed; null if it succeeded'),
  check_failed_at: field.timestamp
    .nullable()
    .describe('When the last check stopped with an error; null if it finished'),
  last_check_at: field.timestamp.nullable(),
  last_check_problems: field.count
    .nullable()
    .describe('Problems that the last check found and did not repair'),
  texts_waiting: field.count.describe(
    `Documents that await text extraction, counted up to ${limits.maxWaitingCount}`,
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
      'Users who opened unusually many documents within an hour, in the last days; null for other roles than admin',
    ),
  started_at: field.timestamp,
  uptime_seconds: field.count,
  recent_activity: z.array(activityItem),
});
export type DashboardResponse = z.infer<typeof dashboardResponse>;
