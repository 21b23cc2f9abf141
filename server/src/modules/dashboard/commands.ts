import type { DashboardAnswer } from '@customer-database/contract/dashboard';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { madeSince, type Noun, totalOf } from '../../db/counts.ts';

const thirtyDaysMs = 30 * 24 * 3_600_000;
const recentItems = 10;

/** Everything here costs the same however many records there are. */
export async function readDashboard(ctx: Context): Promise<DashboardAnswer> {
  const now = ctx.deps.clock.now();
  const since = new Date(now.getTime() - thirtyDaysMs);
  const [customers, documents, active_users, documents_this_month, last_backup_at, recent_activity] =
    await Promise.all([
      growth(ctx, 'customers', since),
      growth(ctx, 'documents', since),
      countActiveUsers(ctx, since),
      startOfMonth(ctx, now).then((start) => madeSince(ctx.db, 'documents', start)),
      lastBackup(ctx),
      recentActivity(ctx),
    ]);
  return {
    customers,
    documents,
    active_users,
    documents_this_month,
    last_backup_at,
    started_at: ctx.deps.startedAt.toISOString(),
    uptime_seconds: Math.max(0, Math.floor((now.getTime() - ctx.deps.startedAt.getTime()) / 1000)),
    recent_activity,
  };
}

async function growth(ctx: Context, noun: Noun, since: Date): Promise<DashboardAnswer['customers']> {
  const [total, added] = await Promise.all([totalOf(ctx.db, noun), madeSince(ctx.db, noun, since)]);
  const before = total - added;
  return { total, change_percent: before > 0 ? Math.round((added / before) * 1000) / 10 : null };
}

async function countActiveUsers(ctx: Context, since: Date): Promise<number> {
  const row = await ctx.db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('last_seen_at', '>', since)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The database knows the zones and their changes of the clock. */
async function startOfMonth(ctx: Context, now: Date): Promise<Date> {
  const { timeZone } = ctx.deps.config;
  const { rows } = await sql<{ start: Date }>`
    select date_trunc('month', ${now}::timestamptz, ${timeZone}::text) as start`.execute(ctx.db);
  return rows[0]?.start ?? now;
}

async function lastBackup(ctx: Context): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('activity')
    .select('at')
    .where('action', '=', sql.lit('backup.completed'))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? row.at.toISOString() : null;
}

async function recentActivity(ctx: Context): Promise<DashboardAnswer['recent_activity']> {
  const rows = await ctx.db
    .selectFrom('activity')
    .select(['id', 'at', 'action', 'actor_label', 'subject_type', 'subject_id', 'subject_label'])
    .where('shown', '=', sql.lit(true))
    .orderBy('id', 'desc')
    .limit(recentItems)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor_name: row.actor_label,
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    subject_label: row.subject_label,
  }));
}
