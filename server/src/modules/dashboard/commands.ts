import type { Context } from '../../core/context.ts';
import { listUnusualReading } from '../activity/bulk-reading.ts';
import { countAwaitingTexts } from '../documents/text/commands.ts';
import * as repo from './repo.ts';

// Long enough for a long weekend.
const unusualReadingMs = 4 * 24 * 3_600_000;
const maxUnusualReadings = 5;
const thirtyDaysMs = 30 * 24 * 3_600_000;

export type Dashboard = Awaited<ReturnType<typeof readDashboard>>;

/** Reads counters, so that the cost does not grow with the number of records. */
export async function readDashboard(ctx: Context, withMaintenance: boolean) {
  const { startedAt, clock, config } = ctx.deps;
  const now = clock.now();
  const since = new Date(now.getTime() - thirtyDaysMs);
  const figures = await repo.readFigures(ctx.db, { now, since, timeZone: config.timeZone });
  return {
    figures,
    customerGrowth: growthPercent(figures.customers, figures.new_customers),
    documentGrowth: growthPercent(figures.documents, figures.new_documents),
    maintenance: withMaintenance
      ? { ...maintenanceOf(figures), textsWaiting: await countAwaitingTexts(ctx) }
      : null,
    unusual: withMaintenance
      ? await listUnusualReading(ctx.db, new Date(now.getTime() - unusualReadingMs), maxUnusualReadings)
      : null,
    activity: await repo.listRecentActivity(ctx.db),
    startedAt,
    uptimeSeconds: Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1000)),
  };
}

function growthPercent(total: number, added: number): number | null {
  const before = total - added;
  return before > 0 ? Math.round((added / before) * 1000) / 10 : null;
}

function maintenanceOf({ last_backup_at, backup_failed_at, last_check, check_failed_at }: repo.Figures) {
  const lastCheckAt = last_check && new Date(last_check.at);
  return {
    backupFailedAt: unlessSucceededSince(backup_failed_at, last_backup_at),
    checkFailedAt: unlessSucceededSince(check_failed_at, lastCheckAt),
    lastCheckAt,
    lastCheckProblems: last_check?.problems ?? null,
  };
}

function unlessSucceededSince(failed: Date | null, completed: Date | null): Date | null {
  return failed && completed && completed > failed ? null : failed;
}
