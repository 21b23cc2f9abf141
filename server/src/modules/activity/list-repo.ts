import type { ActivityAction } from '@customer-database/contract/activity';
import { sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import { type Days, withinDays } from '../../db/conditions.ts';
import { prepare } from '../../db/prepared.ts';

export type ActivityListFilters = Days & {
  person?: number | undefined;
  actions?: ActivityAction[] | undefined;
  customerId?: number | undefined;
  documentId?: number | undefined;
};

const columns = [
  'activity.id',
  'activity.at',
  'activity.action',
  'activity.actor_id',
  'activity.actor_label',
  'activity.subject_type',
  'activity.subject_id',
  'activity.subject_label',
  'activity.customer_id',
  'activity.address',
  'activity.request_id',
  'activity.detail',
  'activity.changes',
] as const;

/** Applies all filters but the actions. */
function newestFirst(db: Database, { person, customerId, documentId, ...days }: ActivityListFilters) {
  return db
    .selectFrom('activity')
    .select(columns)
    .$if(person !== undefined, (query) => query.where('actor_id', '=', person ?? 0))
    .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId ?? 0))
    .$if(documentId !== undefined, (query) =>
      query.where('subject_type', '=', sql.lit('document')).where('subject_id', '=', documentId ?? 0),
    )
    .where(withinDays('at', days))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
}

/** Every match, newest first. */
export function allActivity(db: Database, filters: ActivityListFilters) {
  const { actions } = filters;
  return newestFirst(db, filters).$if(actions !== undefined, (query) =>
    query.where('action', '=', sql<string>`any(${actions})`),
  );
}

export type ListedActivity = Awaited<ReturnType<ReturnType<typeof allActivity>['executeTakeFirstOrThrow']>>;

export type ActivityPage = { before?: number | undefined; limit: number };

const olderThan = (id: number) =>
  sql<boolean>`(at, id) < ((select at from activity where id = ${id}), ${id}::bigint)`;

/**
 * A page of the matches. No index has the rows of several actions in order, so PostgreSQL reads the newest rows of each
 * action and merges them. For one record, it reads all its rows, which are few.
 */
function pageOfActivity(db: Database, filters: ActivityListFilters, { before, limit }: ActivityPage) {
  const { actions, customerId, documentId } = filters;
  const isOfRecord = customerId !== undefined || documentId !== undefined;
  const page = (isOfRecord ? allActivity(db, filters) : newestFirst(db, filters))
    .$if(before !== undefined, (query) => query.where(olderThan(before ?? 0)))
    .limit(limit);
  if (actions === undefined || isOfRecord) return page;
  return db
    .selectFrom(sql<{ action: string }>`unnest(${actions}::text[])`.as<'wanted'>(sql`wanted(action)`))
    .innerJoinLateral(
      page.whereRef('activity.action', '=', 'wanted.action' as 'activity.action').as('activity'),
      (join) => join.onTrue(),
    )
    .select(columns)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

/** With at most one filter, planning takes longer than reading. There are too many combinations to prepare all. */
const isPrepared = ({ timeZone: _, ...filters }: ActivityListFilters) =>
  Object.values(filters).filter((value) => value !== undefined).length <= 1;

export async function selectActivity(
  db: Database,
  filters: ActivityListFilters,
  page: ActivityPage,
): Promise<ListedActivity[]> {
  const statement = pageOfActivity(db, filters, page).compile();
  if (isPrepared(filters)) prepare(statement.sql);
  return (await db.executeQuery(statement)).rows;
}

export async function hasActivity(db: Database, id: number): Promise<boolean> {
  return (await db.selectFrom('activity').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
