import { inTransaction, type SignedInContext } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { subjectOf } from '../subject.ts';
import { revokeOwnTokens } from '../tokens/commands.ts';
import { idleSince } from './commands.ts';
import { endSession, endSessions, listSessions } from './repo.ts';

export type OpenSession = Awaited<ReturnType<typeof listOwnSessions>>[number];

export function listOwnSessions(ctx: SignedInContext) {
  const now = ctx.deps.clock.now();
  return listSessions(ctx.db, ctx.signedIn.user.id, now, idleSince(ctx.deps));
}

export async function endOwnSession(ctx: SignedInContext, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const session = (await listOwnSessions(tx)).find((open) => open.id === id);
    if (!session) throw new AppError('NOT_FOUND', 'This session has ended already');
    await endSession(tx.db, id, ctx.deps.clock.now());
    const { device, address } = session;
    await recordActivity(tx, 'session.ended', subjectOf(tx.signedIn.user), { device, address });
  });
}

export async function endOtherSessions(
  ctx: SignedInContext,
  { revokesTokens }: { revokesTokens: boolean },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { user, sessionId } = tx.signedIn;
    await endSessions(tx.db, user.id, ctx.deps.clock.now(), sessionId);
    await recordActivity(tx, 'session.ended', subjectOf(user), { which: 'all others' });
    if (revokesTokens) await revokeOwnTokens(tx);
  });
}
