import { sql } from 'kysely';
import type pg from 'pg';
import { type Context, systemContext } from '../context.ts';
import { keptSecretKey } from '../crypto/secret-key.ts';
import { withUpkeepLock } from '../db/upkeep-lock.ts';
import type { Deps } from '../deps.ts';
import { type Action, recordActivity } from '../modules/activity/commands.ts';
import { checkDocuments, problemsIn } from '../modules/documents/check.ts';
import { BackupRunning } from './layout.ts';
import { makeBackup } from './make.ts';
import { openPlace } from './place.ts';

const retryAfterMs = 3_600_000;

async function lastOf(ctx: Context, action: Action): Promise<Date | undefined> {
  const row = await ctx.db
    .selectFrom('activity')
    .select('at')
    .where('action', '=', sql.lit(action))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

/** The newest moment at which the clock on the wall showed the time; PostgreSQL knows the zones. */
async function lastDue(ctx: Context, timeOfDay: string): Promise<Date> {
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

async function isBackupDue(ctx: Context): Promise<boolean> {
  const completed = await lastOf(ctx, 'backup.completed');
  if (completed && completed >= (await lastDue(ctx, ctx.deps.config.backup.at))) return false;
  const failed = await lastOf(ctx, 'backup.failed');
  return !failed || ctx.deps.clock.now().getTime() - failed.getTime() >= retryAfterMs;
}

/** A day that was missed because nothing ran is made up for. What fails is tried again an hour later. */
export async function backUpIfDue(deps: Deps, pool: pg.Pool, signal: AbortSignal): Promise<void> {
  const { backup, dataDir, secretKey } = deps.config;
  const ctx = systemContext(deps);
  if (backup.to === undefined || !(await isBackupDue(ctx))) return;
  try {
    const place = await openPlace(deps.config, backup.to, 'writing');
    const { manifest } = await makeBackup(ctx, pool, {
      place,
      keptSecretKey: secretKey === undefined ? await keptSecretKey(dataDir) : undefined,
      keep: backup.keep,
      goesOn: true,
      signal,
      show: () => undefined,
    });
    const unreadable = manifest.unreadable.length;
    const facts = { id: manifest.id, documents: manifest.documents.count, unreadable };
    if (unreadable > 0) deps.log.error(facts, 'the backup lacks documents that could not be read');
    else deps.log.info(facts, 'made a backup');
  } catch (error) {
    if (signal.aborted || error instanceof BackupRunning) return;
    deps.log.error({ err: error }, 'the backup failed');
    const reason = error instanceof Error ? error.message : String(error);
    await recordActivity(ctx, 'backup.failed', { type: 'backup', id: null, label: null }, { reason });
  }
}

const dayMs = 24 * 3_600_000;

/** A new installation waits for its first turn; one that was never checked has nothing to make up for. */
async function isCheckDue(ctx: Context): Promise<boolean> {
  const { at, everyDays } = ctx.deps.config.check;
  if (everyDays === 0) return false;
  const first = await ctx.db.selectFrom('activity').select('at').orderBy('id').limit(1).executeTakeFirst();
  const last = (await lastOf(ctx, 'check.completed')) ?? first?.at;
  if (!last) return false;
  const due = await lastDue(ctx, at);
  // Noted when it was done, which may be hours after its turn.
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

export async function checkIfDue(deps: Deps, pool: pg.Pool, signal: AbortSignal): Promise<void> {
  const ctx = systemContext(deps);
  if (!(await isCheckDue(ctx))) return;
  try {
    await withUpkeepLock(pool, 'check', () => checkAndLog(ctx, signal));
  } catch (error) {
    if (!signal.aborted) deps.log.error({ err: error }, 'the check could not be finished');
  }
}
