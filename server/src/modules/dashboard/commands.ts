import type { DashboardAnswer } from '@customer-database/contract/dashboard';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { compiledOnce } from '../../db/compiled.ts';
import type { Noun } from '../../db/counts.ts';
import { lastOf } from '../activity/upkeep.ts';

const thirtyDaysMs = 30 * 24 * 3_600_000;
const recentItems = 10;

/** Everything here costs the same however many records there are. */
export async function readDashboard(ctx: Context, withUpkeep: boolean): Promise<DashboardAnswer> {
  const now = ctx.deps.clock.now();
  const since = new Date(now.getTime() - thirtyDaysMs);
  const [figures] = await selectFigures(ctx.db, { now, since, timeZone: ctx.deps.config.timeZone });
  const activity = await selectActivity(ctx.db, {});
  return {
    customers: growth(Number(figures?.customers), Number(figures?.new_customers)),
    documents: growth(Number(figures?.documents), Number(figures?.new_documents)),
    active_users: Number(figures?.active_users),
    documents_this_month: Number(figures?.documents_this_month),
    last_backup_at: figures?.last_backup_at?.toISOString() ?? null,
    upkeep: withUpkeep && figures ? upkeepOf(figures) : null,
    started_at: ctx.deps.startedAt.toISOString(),
    uptime_seconds: Math.max(0, Math.floor((now.getTime() - ctx.deps.startedAt.getTime()) / 1000)),
    recent_activity: activity.map(({ at, actor_label, ...row }) => ({
      ...row,
      at: at.toISOString(),
      actor_name: actor_label,
    })),
  };
}

type Upkeep = Pick<
  Awaited<ReturnType<typeof selectFigures>>[number],
  'last_backup_at' | 'backup_failed_at' | 'last_check' | 'check_failed_at'
>;

/** Until it was made up for. */
function failedAt(failed: Date | null, completed: Date | null): string | null {
  return failed && !(completed && completed > failed) ? failed.toISOString() : null;
}

function upkeepOf(figures: Upkeep): DashboardAnswer['upkeep'] {
  const { last_backup_at, backup_failed_at, last_check, check_failed_at } = figures;
  const checkedAt = last_check && new Date(last_check.at);
  return {
    backup_failed_at: failedAt(backup_failed_at, last_backup_at),
    check_failed_at: failedAt(check_failed_at, checkedAt),
    last_check_at: checkedAt?.toISOString() ?? null,
    last_check_problems: last_check?.problems ?? null,
  };
}

function growth(total: number, added: number): DashboardAnswer['customers'] {
  const before = total - added;
  return { total, change_percent: before > 0 ? Math.round((added / before) * 1000) / 10 : null };
}

type Moment = { now: Date; since: Date; timeZone: string };

const records = (noun: Noun, when: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(records), 0) from record_counts where noun = ${sql.lit(noun)} and period ${when})`;

const ever = sql`= '-infinity'`;

/** The database knows the time zones and their changes of the clock. */
const selectFigures = compiledOnce((db, { now, since, timeZone }: Moment) =>
  db.selectNoFrom((eb) => [
    records('customers', ever).as('customers'),
    records('documents', ever).as('documents'),
    records('customers', sql`>= ${since}`).as('new_customers'),
    records('documents', sql`>= ${since}`).as('new_documents'),
    records('documents', sql`>= date_trunc('month', ${now}::timestamptz, ${timeZone}::text)`).as(
      'documents_this_month',
    ),
    eb
      .selectFrom('users')
      .select((users) => users.fn.countAll<number>().as('count'))
      .where('last_seen_at', '>', since)
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

const selectActivity = compiledOnce((db, _none: object) =>
  db
    .selectFrom('activity')
    .select(['id', 'at', 'action', 'actor_label', 'subject_type', 'subject_id', 'subject_label'])
    .where('shown', '=', sql.lit(true))
    .orderBy('id', 'desc')
    .limit(sql.lit(recentItems)),
);
