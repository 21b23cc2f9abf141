import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';

/** Every action that the activity log records. */
export const activityActions = [
  'sign_in.succeeded',
  'sign_in.failed',
  'sign_out',
  'session.confirmed',
  'session.ended',
  'access.denied',
  'credential.refused',
  'password.changed',
  'password.reset',
  'mfa.enabled',
  'mfa.disabled',
  'mfa.reset',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'token.created',
  'token.revoked',
  'token.used',
  'account.unlocked',
  'user.registered',
  'user.invited',
  'user.invitation_withdrawn',
  'user.provisioned',
  'user.company_linked',
  'user.company_unlinked',
  'user.updated',
  'user.disabled',
  'user.enabled',
  'user.role_changed',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customers.imported',
  'customers.exported',
  'document.uploaded',
  'document.upload_refused',
  'document.updated',
  'document.deleted',
  'document.link_issued',
  'document.downloaded',
  'document.viewed',
  'link.refused',
  'backup.completed',
  'backup.failed',
  'backup.restored',
  'check.completed',
  'check.failed',
  'texts.read',
  'activity.exported',
  'activity.verified',
  'activity.erased',
  'activity.accepted',
  'activity.sealing_resumed',
  'reading.unusual',
] as const;
export type ActivityAction = (typeof activityActions)[number];

/** The outcome of these actions is 'refused', that of all others 'done'. */
export const refusedActions = [
  'sign_in.failed',
  'access.denied',
  'credential.refused',
  'document.upload_refused',
  'link.refused',
  'backup.failed',
  'check.failed',
] as const satisfies ActivityAction[];

export const outcomes = ['done', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

const refused: ReadonlySet<string> = new Set(refusedActions);
export const outcomeOf = (action: string): Outcome => (refused.has(action) ? 'refused' : 'done');

/** The actions that the dashboard lists as recent activity, for every user. */
export const shownActions = [
  'user.registered',
  'user.invited',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customers.imported',
  'document.uploaded',
  'document.updated',
  'document.deleted',
] as const satisfies ActivityAction[];
export type ShownAction = (typeof shownActions)[number];

const isAction = (text: string): text is ActivityAction => activityActions.some((action) => action === text);
const unknownAction = 'action must be one or more known actions, separated by commas';

const filterQuery = z.strictObject({
  person: field.idParam.optional().describe('The id of the user who acted'),
  action: z
    .string({ error: unknownAction })
    .transform((text) => text.split(','))
    .refine((actions) => actions.every(isAction), unknownAction)
    .transform((actions) => actions.filter(isAction))
    .optional()
    .describe('Such as document.viewed; commas separate several'),
  outcome: z.enum(outcomes, { error: `outcome must be one of ${outcomes.join(', ')}` }).optional(),
  customer_id: field.idParam.optional().describe('The customer or its documents'),
  document_id: field.idParam.optional(),
  from: field.optionalDate('From').describe('This day or later'),
  to: field.optionalDate('To').describe('This day or earlier'),
});
export type ActivityFilters = z.infer<typeof filterQuery>;

const daysInOrder = ({ from, to }: Pick<ActivityFilters, 'from' | 'to'>) => !from || !to || from <= to;
const daysInWrongOrder = { path: ['from'], error: 'From must not be after to' };

export const activityQuery = filterQuery
  .extend({
    before: field.idParam.optional().describe('The id of the last row of the previous page'),
    limit: field.wholeNumberIn('limit', 1, limits.maxPageSize).default(limits.pageSize),
  })
  .refine(daysInOrder, daysInWrongOrder);
export type ActivityQuery = z.infer<typeof activityQuery>;

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const activityExportQuery = filterQuery
  .extend({
    format: z
      .enum(exportFormats, { error: `format must be one of ${exportFormats.join(', ')}` })
      .default('csv'),
  })
  .refine(daysInOrder, daysInWrongOrder);
export type ActivityExportQuery = z.infer<typeof activityExportQuery>;
