import { type Context, inTransaction } from '../../../core/context.ts';
import { recordActivity } from '../commands.ts';
import { removeNote } from './note.ts';
import * as repo from './repo.ts';
import { openChain, sealActivity } from './seal.ts';
import { findSettledId } from './settled.ts';
import { verifyActivity } from './verify.ts';

/**
 * For the operator, after looking into what verification found: takes the log as it is now. Where only the note of this
 * machine differs, as after a database was restored by its own tools, the chain stays; otherwise a new one is opened,
 * which says nothing about what happened before. Returns whether it was.
 */
export async function acceptActivity(ctx: Context): Promise<{ isNewChain: boolean }> {
  const { deps } = ctx;
  await removeNote(deps.config.dataDir);
  // Fails where the chain is broken, which the verification then finds.
  await sealActivity(deps).catch(() => undefined);
  const options = { signal: deps.stopping, onProblem: () => undefined };
  const { problems } = await verifyActivity(deps, options);
  const isNewChain = problems > 0;
  if (isNewChain) {
    const through = await findSettledId(ctx.db, deps.stopping);
    await inTransaction(ctx, async ({ db }) => {
      await repo.deleteSeals(db);
      await openChain({ ...deps, db }, through);
    });
    await removeNote(deps.config.dataDir);
  }
  const subject = { type: 'activity', id: null, label: null } as const;
  await recordActivity(ctx, 'activity.accepted', subject, { problems });
  await sealActivity(deps);
  return { isNewChain };
}
