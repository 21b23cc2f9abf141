import type { Deps, JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import { recordCountedRefusals } from '../activity/refusals.ts';
import { deleteExpiredChallenges } from './mfa/repo.ts';
import { deleteExpiredUsedValues } from './repo.ts';
import { sessionRetentionMs } from './sessions/known-networks.ts';
import { deletePastSessions } from './sessions/repo.ts';
import { deleteFailuresBefore } from './throttle/repo.ts';
import { failureTtlMs } from './throttle/throttle.ts';
import { deletePastTokens } from './tokens/commands.ts';

/** Removes old sessions and tokens, expired challenges and failures that no longer count. */
export async function deleteExpired(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await deletePastSessions(deps.db, before(sessionRetentionMs), now);
  await deleteExpiredChallenges(deps.db, now);
  await deleteExpiredUsedValues(deps.db, now);
  await deletePastTokens(deps.db, now);
  await deleteFailuresBefore(deps.db, before(failureTtlMs));
  await recordCountedRefusals(deps);
}

export const deleteExpiredJob: Job<JobDeps, object> = {
  name: 'delete-expired',
  schedule: '47 * * * *',
  run: deleteExpired,
};
