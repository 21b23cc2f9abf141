import { systemContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { enqueueNotice } from '../notices/notice.ts';
import { listActiveAdmins } from '../users/repo.ts';

/** Mails administrators about a problem with the activity log. */
export async function warnAdmins(deps: Deps, problem: string): Promise<void> {
  const ctx = systemContext(deps);
  for (const admin of await listActiveAdmins(ctx.db, deps.clock.now())) {
    await enqueueNotice(ctx, admin, 'log', { Problem: problem });
  }
}
