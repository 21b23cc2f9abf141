import { z } from 'zod';
import { outcomes } from './activity.ts';
import * as field from './fields.ts';

const changedValue = z.union([z.string(), z.number(), z.boolean()]).nullable();
export type ChangedValue = z.infer<typeof changedValue>;

export const activity = z
  .object({
    id: z.int(),
    at: field.timestamp,
    action: z.string().describe('Such as document.uploaded'),
    outcome: z.enum(outcomes),
    actor_id: z.int().nullable(),
    actor_name: z.string(),
    subject_type: z.string(),
    subject_id: z.int().nullable(),
    subject_label: z.string().nullable(),
    customer_id: z.int().nullable(),
    address: z.string().nullable(),
    request_id: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
    changes: z
      .record(z.string(), z.object({ from: changedValue, to: changedValue }))
      .nullable()
      .describe('Old and new values, by field'),
  })
  .meta({ id: 'Activity' });
export type Activity = z.infer<typeof activity>;
export type Changes = NonNullable<Activity['changes']>;

export const activityResponse = z.object({
  activity: z.array(activity),
  next_before: z.int().nullable().describe('Send it as `before` to get the next page; null on the last page'),
});
export type ActivityResponse = z.infer<typeof activityResponse>;
