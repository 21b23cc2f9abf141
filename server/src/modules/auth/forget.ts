import type { Deps } from '../../core/deps.ts';
import { recordCountedRefusals } from '../activity/refusals.ts';
import { deletePastSessions } from '../identity/repo.ts';
import { rememberSessionsMs } from './known-addresses.ts';
import { deleteExpiredChallenges } from './repo.ts';
import { forgetAfterMs } from './throttle.ts';
import { deleteFailuresBefore } from './throttle-repo.ts';

/** Removes what has no use any more: sessions long over, unanswered challenges, failures that no longer count. */
export async function forgetExpired(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await deletePastSessions(deps.db, before(rememberSessionsMs), now);
  await deleteExpiredChallenges(deps.db, now);
  await deleteFailuresBefore(deps.db, before(forgetAfterMs));
  await recordCountedRefusals(deps);
}
