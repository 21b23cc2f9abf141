import type { Deps } from '../../deps.ts';
import { recordCountedRefusals } from '../activity/refusals.ts';
import { rememberSessionsMs } from './sessions.ts';
import { forgetAfterMs } from './throttle.ts';

/** Removes what has no use any more: sessions long over, unanswered challenges, failures that no longer count. */
export async function forgetExpired(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await deps.db
    .deleteFrom('sessions')
    .where('created_at', '<', before(rememberSessionsMs))
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('ended_at', 'is not', null)]))
    .execute();
  await deps.db.deleteFrom('mfa_challenges').where('expires_at', '<', now).execute();
  await deps.db.deleteFrom('throttles').where('last_failure_at', '<', before(forgetAfterMs)).execute();
  await recordCountedRefusals(deps);
}
