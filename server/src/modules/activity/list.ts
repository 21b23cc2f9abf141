import {
  type ActivityAction,
  type ActivityFilters,
  type ActivityQuery,
  activityActions,
  outcomeOf,
} from '@customer-database/contract/activity';
import type { Context } from '../../core/context.ts';
import { fieldError } from '../../http/errors.ts';
import * as repo from './list-repo.ts';

/** Undefined means all actions. */
function wantedActions({ action, outcome }: ActivityFilters): ActivityAction[] | undefined {
  if (outcome === undefined) return action;
  return (action ?? activityActions).filter((candidate) => outcomeOf(candidate) === outcome);
}

export function listFilters(ctx: Context, query: ActivityFilters): repo.ActivityListFilters {
  return {
    person: query.person,
    actions: wantedActions(query),
    customerId: query.customer_id,
    documentId: query.document_id,
    from: query.from,
    to: query.to,
    timeZone: ctx.deps.config.timeZone,
  };
}

/** A page of the log, newest first. */
export async function listActivity(
  ctx: Context,
  { before, limit, ...query }: ActivityQuery,
): Promise<{ rows: repo.ListedActivity[]; nextBefore: number | null }> {
  if (before !== undefined && !(await repo.hasActivity(ctx.db, before))) {
    throw fieldError('before', 'before must be the id of a row of the activity log');
  }
  // Reads one more row, to know whether there is a next page.
  const found = await repo.selectActivity(ctx.db, listFilters(ctx, query), { before, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { rows, nextBefore: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
