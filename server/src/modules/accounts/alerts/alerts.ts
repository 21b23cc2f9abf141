import { type Context, inTransaction, systemContext } from '../../../core/context.ts';
import type { Deps, JobDeps } from '../../../core/deps.ts';
import type { Job } from '../../../jobs/job.ts';
import { type BulkReader, findBulkReaders } from '../../activity/bulk-reading.ts';
import { recordActivity } from '../../activity/commands.ts';
import { enqueueNotice } from '../notices/notice.ts';
import { findUserById } from '../repo.ts';
import { subjectOf } from '../user.ts';
import { listActiveAdmins } from '../users/repo.ts';

const hourMs = 3_600_000;

async function notifyAdmins(ctx: Context, kind: 'reading' | 'log', facts: Record<string, string>) {
  for (const admin of await listActiveAdmins(ctx.db, ctx.deps.clock.now()))
    await enqueueNotice(ctx, admin, kind, facts);
}

/** Mails administrators about a problem with the activity log. */
export function warnAdmins(deps: Deps, problem: string): Promise<void> {
  return notifyAdmins(systemContext(deps), 'log', { Problem: problem });
}

async function report(deps: Deps, { user_id, views, downloads }: BulkReader): Promise<void> {
  await inTransaction(systemContext(deps), async (tx) => {
    const reader = await findUserById(tx.db, user_id);
    if (!reader) return;
    await recordActivity(tx, 'reading.unusual', subjectOf(reader), { views, downloads });
    await notifyAdmins(tx, 'reading', {
      Person: `${reader.name} (${reader.email})`,
      Views: String(views),
      Downloads: String(downloads),
    });
  });
}

/** Reports a user at most once an hour. */
export async function reportUnusualReading(deps: Deps): Promise<void> {
  const { unusualReadsPerHour } = deps.config;
  if (unusualReadsPerHour === 0) return;
  const since = new Date(deps.clock.now().getTime() - hourMs);
  for (const reader of await findBulkReaders(deps.db, since, unusualReadsPerHour)) await report(deps, reader);
}

export const reportUnusualReadingJob: Job<JobDeps, object> = {
  name: 'report-unusual-reading',
  schedule: '* * * * *',
  run: reportUnusualReading,
};
