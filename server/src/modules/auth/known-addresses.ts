import type { Context } from '../../core/context.ts';
import { networkOf } from '../../http/network.ts';
import type { UserRow } from '../identity/repo.ts';
import * as repo from './repo.ts';

/** How long the addresses that a user signed in from are remembered. */
export const rememberSessionsMs = 30 * 24 * 3_600_000;

const rememberedSince = (ctx: Context) => new Date(ctx.deps.clock.now().getTime() - rememberSessionsMs);

/** Where an address changes by itself its network counts. */
const includesCaller = (ctx: Context, addresses: string[]) =>
  addresses.some((address) => networkOf(address) === networkOf(ctx.address));

export async function hasSignedInFrom(ctx: Context, userId: number): Promise<boolean> {
  return includesCaller(ctx, await repo.findAddresses(ctx.db, userId, rememberedSince(ctx)));
}

type UserToSignIn = { user: UserRow | undefined; isKnownHere: boolean };

/** All that a sign-in has to know, in one statement, which is the same whether or not there is such a user. */
export async function findUserToSignIn(ctx: Context, email: string): Promise<UserToSignIn> {
  const user = await repo.findUserWithAddresses(ctx.db, email, rememberedSince(ctx));
  return { user, isKnownHere: user !== undefined && includesCaller(ctx, user.addresses) };
}
