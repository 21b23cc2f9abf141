import type { Context } from '../../../core/context.ts';
import { hashToken } from '../../../crypto/tokens.ts';
import { networkOf } from '../../../http/network.ts';
import type { UserRow } from '../repo.ts';
import { deviceOf } from './device.ts';
import { findAddresses, findDevices, findUserWithAddresses } from './repo.ts';

/** How long past sessions are kept, as they tell the addresses that a user signed in from. */
export const sessionRetentionMs = 30 * 24 * 3_600_000;

const retainedSince = (ctx: Context) => new Date(ctx.deps.clock.now().getTime() - sessionRetentionMs);

/** Compares networks, since an address may change within its own. */
const includesCaller = (ctx: Context, addresses: string[]) =>
  addresses.some((address) => networkOf(address) === networkOf(ctx.address));

export async function hasSignedInFrom(ctx: Context, userId: number): Promise<boolean> {
  return includesCaller(ctx, await findAddresses(ctx.db, userId, retainedSince(ctx)));
}

type UserToSignIn = { user: UserRow | undefined; isKnownHere: boolean };

/** Everything that a sign-in needs, in one statement that is the same whether or not the user exists. */
export async function findUserToSignIn(ctx: Context, email: string): Promise<UserToSignIn> {
  const user = await findUserWithAddresses(ctx.db, email, retainedSince(ctx));
  return { user, isKnownHere: user !== undefined && includesCaller(ctx, user.addresses) };
}

/** Whether a user who has signed in before does so from a browser that has not, at an address that is new too. */
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
