import { sql } from 'kysely';
import { type Context, systemContext } from '../core/context.ts';
import type { Deps, JobDeps } from '../core/deps.ts';
import { reasonOf } from '../core/log.ts';
import { withMaintenanceLock } from '../db/maintenance-lock.ts';
import type { Job } from '../jobs/job.ts';
import { recordActivity } from '../modules/activity/commands.ts';
import { lastOf } from '../modules/activity/maintenance.ts';
import { checkDocuments, problemsIn } from '../modules/documents/consistency/check.ts';
import { BackupRunning } from './layout.ts';
import { makeBackup } from './make.ts';
import { type BackupTarget, openTarget } from './target.ts';

const retryAfterMs = 3_600_000;

/** When the local clock last showed this time of day. PostgreSQL does the arithmetic of time zones. */
async function lastDueTime(ctx: Context, timeOfDay: string): Promise<Date> {
  const now = ctx.deps.clock.now();
  const { timeZone } = ctx.deps.config;
  const { rows } = await sql<{ due: Date }>`
    select max(due) as due from (
      select (date_trunc('day', ${now}::timestamptz at time zone ${timeZone}::text)
        + ${timeOfDay}::time - make_interval(days => back)) at time zone ${timeZone}::text as due
      from generate_series(0, 1) as back
    ) as moments where due <= ${now}`.execute(ctx.db);
  return rows[0]?.due ?? now;
}

/** Limits retries to one an hour, because a run may take long and each failure adds an activity row. */
const failedRecently = (ctx: Context, failed: Date | null) =>
  failed !== null && ctx.deps.clock.now().getTime() - failed.getTime() < retryAfterMs;

async function isBackupDue(ctx: Context, to: string): Promise<boolean> {
  // A manual backup to another target does not count.
  const isSameTarget = sql`detail ->> 'place' = ${to}`;
  const { completed, failed } = await ctx.db
    .selectNoFrom([
      lastOf<Date | null>('backup.completed', sql`at`, isSameTarget).as('completed'),
      lastOf<Date | null>('backup.failed', sql`at`).as('failed'),
    ])
    .executeTakeFirstOrThrow();
  if (completed && completed >= (await lastDueTime(ctx, ctx.deps.config.backup.at))) return false;
  return !failedRecently(ctx, failed);
}

async function backUpTo(ctx: Context, target: BackupTarget, signal: AbortSignal): Promise<void> {
  const { manifest } = await makeBackup(ctx, {
    target,
    keep: ctx.deps.config.backup.keep,
    expectEarlierBackups: true,
    signal,
    show: () => undefined,
  });
  const unreadable = manifest.unreadable.length;
  const facts = { id: manifest.id, documents: manifest.documents.count, unreadable };
  const { log } = ctx.deps;
  if (unreadable > 0) log.error(facts, 'the backup lacks documents that could not be read');
  else log.info(facts, 'made a backup');
}

/** Also makes a backup that was missed while the server was down. */
export async function backUpIfDue(deps: Deps): Promise<void> {
  const { to } = deps.config.backup;
  const signal = deps.stopping;
  const ctx = systemContext(deps);
  if (to === undefined || signal.aborted || !(await isBackupDue(ctx, to))) return;
  try {
    const target = await openTarget(deps.config, to, 'writing');
    await backUpTo(ctx, target, signal).finally(() => target.close());
  } catch (error) {
    if (signal.aborted || error instanceof BackupRunning) return;
    deps.log.error({ err: error }, 'the backup failed');
    const backup = { type: 'backup', id: null, label: null } as const;
    await recordActivity(ctx, 'backup.failed', backup, { reason: reasonOf(error) });
  }
}

const dayMs = 24 * 3_600_000;

/** A new installation is due a full interval after its first activity. */
async function isCheckDue(ctx: Context): Promise<boolean> {
  const { at, everyDays } = ctx.deps.config.check;
  if (everyDays === 0) return false;
  const first = await ctx.db.selectFrom('activity').select('at').orderBy('id').limit(1).executeTakeFirst();
  const { completed, failed } = await ctx.db
    .selectNoFrom([
      lastOf<Date | null>('check.completed', sql`at`).as('completed'),
      lastOf<Date | null>('check.failed', sql`at`).as('failed'),
    ])
    .executeTakeFirstOrThrow();
  const last = completed ?? first?.at;
  if (!last || failedRecently(ctx, failed)) return false;
  const due = await lastDueTime(ctx, at);
  // `last` is the end of a check, which may be hours after that check was due.
  return last.getTime() < due.getTime() - (everyDays - 0.5) * dayMs;
}

async function checkAndLog(ctx: Context, signal: AbortSignal): Promise<void> {
  const { log } = ctx.deps;
  const result = await checkDocuments(ctx, {
    signal,
    onProblem: ({ kind, key, document }) =>
      log.error({ kind, storage_key: key, document_id: document?.id }, 'the check found a problem'),
  });
  log.info({ documents: result.documents, problems: problemsIn(result) }, 'checked all documents');
}

export async function checkIfDue(deps: Deps): Promise<void> {
  const ctx = systemContext(deps);
  const signal = deps.stopping;
  if (signal.aborted || !(await isCheckDue(ctx))) return;
  try {
    await withMaintenanceLock(deps.pool, 'check', () => checkAndLog(ctx, signal));
  } catch (error) {
    if (signal.aborted) return;
    deps.log.error({ err: error }, 'the check could not be finished');
    const check = { type: 'check', id: null, label: null } as const;
    await recordActivity(ctx, 'check.failed', check, { reason: reasonOf(error) });
  }
}

export const backupJobs: Job<JobDeps, object>[] = [
  { name: 'backup-if-due', schedule: '*/10 * * * *', run: backUpIfDue },
  { name: 'check-if-due', schedule: '5,15,25,35,45,55 * * * *', run: checkIfDue },
];
