import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce, type Parameter } from '../../db/compiled.ts';
import type { Noun } from '../../db/counts.ts';
import { lastOf } from '../activity/maintenance.ts';

const maxRecentItems = 10;

type Period = { now: Date; since: Date; timeZone: string };

const records = (noun: Noun, when: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(records), 0)::bigint from record_counts
  where noun = ${sql.lit(noun)} and period ${when})`;

const allTime = sql`= '-infinity'`;

/** PostgreSQL computes the start of the month, because it knows time zones. */
const selectFigures = compiledOnce((db, value: Parameter<Period>) =>
  db.selectNoFrom((eb) => [
    records('customers', allTime).as('customers'),
    records('documents', allTime).as('documents'),
    records('customers', sql`>= ${value('since')}`).as('new_customers'),
    records('documents', sql`>= ${value('since')}`).as('new_documents'),
    records(
      'documents',
      sql`>= date_trunc('month', ${value('now')}::timestamptz, ${value('timeZone')}::text)`,
    ).as('documents_this_month'),
    eb
      .selectFrom('users')
      .select((users) => users.fn.countAll<number>().as('count'))
      .where('last_seen_at', '>', value('since'))
      .where('disabled_at', 'is', null)
      .as('active_users'),
    lastOf<Date | null>('backup.completed', sql`at`).as('last_backup_at'),
    lastOf<Date | null>('backup.failed', sql`at`).as('backup_failed_at'),
    lastOf<{ at: string; problems: number } | null>(
      'check.completed',
      sql`json_build_object('at', at, 'problems', detail -> 'problems')`,
    ).as('last_check'),
    lastOf<Date | null>('check.failed', sql`at`).as('check_failed_at'),
  ]),
);

export type Figures = Awaited<ReturnType<typeof selectFigures>>[number];

export async function readFigures(db: Database, period: Period): Promise<Figures> {
  // A select from no table always returns one row.
  const [figures] = (await selectFigures(db, period)) as [Figures];
  return figures;
}

const selectActivity = compiledOnce((db) =>
  db
    .selectFrom('activity')
    .select(['id', 'at', 'action', 'actor_label', 'subject_type', 'subject_id', 'subject_label'])
    .where('shown', '=', sql.lit(true))
    .orderBy('id', 'desc')
    .limit(sql.lit(maxRecentItems)),
);

export type ActivityRow = Awaited<ReturnType<typeof selectActivity>>[number];

export function listRecentActivity(db: Database): Promise<ActivityRow[]> {
  return selectActivity(db, {});
}
