import type { Context, SignedIn } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { hashToken, randomToken } from '../../../crypto/tokens.ts';
import { deviceOf } from './device.ts';
import { insertSession, markSeen, recordSignIn, selectSignedIn } from './repo.ts';

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
  await insertSession(ctx.db, {
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
  await recordSignIn(ctx.db, userId, now);
  return token;
}

/** Sessions last used before this time have ended. */
export const idleSince = ({ clock, config }: Deps) => new Date(clock.now().getTime() - config.sessionIdleMs);

/** Not cached, so that the end of a session takes effect at once. */
export async function findSignedIn(deps: Deps, token: string): Promise<SignedIn | undefined> {
  const now = deps.clock.now();
  const values = { token_hash: hashToken(token), now, idle_since: idleSince(deps) };
  const [row] = await selectSignedIn(deps.db, values);
  if (!row) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() > lastSeenIntervalMs)
    await markSeen(deps.db, row.session_id, row.id, now);
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
