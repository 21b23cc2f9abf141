import { type Context, inTransaction, type SignedIn, type SignedInContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { hashToken, randomToken } from '../../../crypto/tokens.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { revokeOwnTokens } from '../tokens/commands.ts';
import { subjectOf } from '../user.ts';
import { deviceOf } from './device.ts';
import * as repo from './repo.ts';

// Recording every request would add a write to every read. The idle limit is never this short.
const lastSeenIntervalMs = 30_000;

export type Proof = {
  hasSecondFactor?: boolean;
  /** When the user authenticated: now, unless a company sign-in says otherwise. */
  provenAt?: Date;
};

export async function createSession(
  ctx: Context,
  userId: number,
  { hasSecondFactor = false, provenAt }: Proof = {},
): Promise<string> {
  const token = randomToken();
  const now = ctx.deps.clock.now();
  await repo.insertSession(ctx.db, {
    token_hash: hashToken(token),
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    confirmed_at: provenAt && provenAt < now ? provenAt : now,
    has_second_factor: hasSecondFactor,
    expires_at: new Date(now.getTime() + ctx.deps.config.sessionMaxMs),
    address: ctx.address ?? '',
    device: deviceOf(ctx.userAgent),
    device_hash: ctx.deviceToken === undefined ? null : hashToken(ctx.deviceToken),
  });
  await repo.recordSignIn(ctx.db, userId, now);
  return token;
}

/** Sessions last used before this time have ended. */
export const idleSince = ({ clock, config }: Deps) => new Date(clock.now().getTime() - config.sessionIdleMs);

/** Not cached, so that the end of a session takes effect at once. */
export async function findSignedIn(deps: Deps, token: string): Promise<SignedIn | undefined> {
  const now = deps.clock.now();
  const values = { token_hash: hashToken(token), now, idle_since: idleSince(deps) };
  const [row] = await repo.selectSignedIn(deps.db, values);
  if (!row) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() > lastSeenIntervalMs)
    await repo.markSeen(deps.db, row.session_id, row.id, now);
  // Spelled out, because this runs on every request and an object rest is slower.
  const { id, name, email, phone_number, role, must_change_password } = row;
  const mfa_enabled = Boolean(row.mfa_enabled);
  return {
    sessionId: row.session_id,
    confirmedAt: row.confirmed_at,
    hasSecondFactor: row.has_second_factor,
    linkGeneration: row.link_generation,
    user: { id, name, email, phone_number, role, must_change_password, mfa_enabled },
  };
}

export type OpenSession = Awaited<ReturnType<typeof listOwnSessions>>[number];

export function listOwnSessions(ctx: SignedInContext) {
  const now = ctx.deps.clock.now();
  return repo.listSessions(ctx.db, ctx.signedIn.user.id, now, idleSince(ctx.deps));
}

export async function endOwnSession(ctx: SignedInContext, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const session = (await listOwnSessions(tx)).find((open) => open.id === id);
    if (!session) throw new AppError('NOT_FOUND', 'This session has ended already');
    await repo.endSession(tx.db, id, ctx.deps.clock.now());
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
    await repo.endSessions(tx.db, user.id, ctx.deps.clock.now(), sessionId);
    await recordActivity(tx, 'session.ended', subjectOf(user), { which: 'all others' });
    if (revokesTokens) await revokeOwnTokens(tx);
  });
}
