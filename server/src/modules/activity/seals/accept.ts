import { type Context, inTransaction } from '../../../core/context.ts';
import { recordActivity } from '../commands.ts';
import { removeNote } from './note.ts';
import * as repo from './repo.ts';
import { openChain, sealActivity } from './seal.ts';
import { findSettledId } from './settled.ts';
import { verifyActivity } from './verify.ts';

/**
 * Accepts the log as it is now, after the operator has examined the problems that verification found. If only the note
 * of this machine differs, as after PostgreSQL's own tools restored the database, the chain stays. Otherwise opens a
 * new chain, which proves nothing about earlier rows.
 */
export async function acceptActivity(ctx: Context): Promise<{ isNewChain: boolean }> {
  const { deps } = ctx;
  await removeNote(deps.config.dataDir);
  // Fails if the chain is broken, which the verification below finds.
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
