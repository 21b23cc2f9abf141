import type { Context } from '../../../core/context.ts';
import { hashToken } from '../../../crypto/tokens.ts';
import { networkOf } from '../../../http/network.ts';
import type { UserRow } from '../repo.ts';
import { deviceOf } from './device.ts';
import { findDevices, findIpAddresses, findUserWithIpAddresses } from './repo.ts';

/** How long ended sessions are kept, because their IP addresses show from where a user signs in. */
export const sessionRetentionMs = 30 * 24 * 3_600_000;

const retainedSince = (ctx: Context) => new Date(ctx.deps.clock.now().getTime() - sessionRetentionMs);

/** Compares networks, because the IP address of a device can change within its network. */
const includeCaller = (ctx: Context, ipAddresses: string[]) =>
  ipAddresses.some((ipAddress) => networkOf(ipAddress) === networkOf(ctx.address));

export async function hasSignedInFrom(ctx: Context, userId: number): Promise<boolean> {
  return includeCaller(ctx, await findIpAddresses(ctx.db, userId, retainedSince(ctx)));
}

type UserToSignIn = { user: UserRow | undefined; isKnownNetwork: boolean };

/** Takes as long for an unknown email as for a known one. */
export async function findUserToSignIn(ctx: Context, email: string): Promise<UserToSignIn> {
  const user = await findUserWithIpAddresses(ctx.db, email, retainedSince(ctx));
  return { user, isKnownNetwork: user !== undefined && includeCaller(ctx, user.ip_addresses) };
}

/** Whether the user has signed in before, but neither with this browser nor with such a device in this network. */
export async function isNewDevice(ctx: Context, userId: number): Promise<boolean> {
  const device = deviceOf(ctx.userAgent);
  const hash = ctx.deviceToken === undefined ? undefined : hashToken(ctx.deviceToken);
  const seen = await findDevices(ctx.db, userId, retainedSince(ctx));
  const isKnown = seen.some(
    (other) =>
      (hash && other.device_hash?.equals(hash)) ||
      (other.device === device && networkOf(other.address) === networkOf(ctx.address)),
  );
  return seen.length > 0 && !isKnown;
}
