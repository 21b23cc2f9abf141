import type { Context } from '../../../core/context.ts';
import { randomToken } from '../../../crypto/tokens.ts';
import { recordActivity } from '../../activity/commands.ts';
import { enqueueNotice } from '../notices/notice.ts';
import type { UserRow } from '../repo.ts';
import { subjectOf } from '../user.ts';
import { createSession, type Proof } from './commands.ts';
import { deviceOf } from './device.ts';
import { isNewDevice } from './known-networks.ts';

export type Session = { kind: 'session'; token: string; deviceToken: string; user: UserRow };

export function maySignIn(ctx: Context, user: UserRow): boolean {
  const isExpired = user.password_expires_at !== null && user.password_expires_at <= ctx.deps.clock.now();
  return user.disabled_at === null && !isExpired;
}

export async function openSession(
  ctx: Context,
  user: UserRow,
  proof: Proof,
  detail?: { factor: string },
): Promise<Session> {
  if (await isNewDevice(ctx, user.id)) {
    const facts = { Device: deviceOf(ctx.userAgent) ?? 'unknown', 'IP address': ctx.address ?? 'unknown' };
    await enqueueNotice(ctx, user, 'device', facts);
  }
  const deviceToken = ctx.deviceToken ?? randomToken();
  const token = await createSession({ ...ctx, deviceToken }, user.id, proof);
  const actor = { id: user.id, label: user.name };
  await recordActivity({ ...ctx, actor }, 'sign_in.succeeded', subjectOf(user), detail);
  return { kind: 'session', token, deviceToken, user };
}

export async function recordFailure(
  ctx: Context,
  user: UserRow | undefined,
  email: string,
  factor: 'password' | 'mfa' | 'passkey' | 'company',
): Promise<void> {
  const subject = { type: 'user', id: user?.id ?? null, label: email } as const;
  await recordActivity(ctx, 'sign_in.failed', subject, { factor });
}
