import type { PasskeySignInInput } from '@customer-database/contract/passkeys';
import type { SignedInContext } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import type { Site } from '../../../http/origin.ts';
import { recordActivity } from '../../activity/commands.ts';
import { consumeOnce, findUserById } from '../repo.ts';
import { forgiveAttempts, ipAddressAttempt, reserveAttempts } from '../throttle/throttle.ts';
import { subjectOf } from '../user.ts';
import { requestAssertion, verifyAssertion } from './assertion.ts';
import { openChallenge } from './challenge.ts';
import { requirePasskeySignIn } from './commands.ts';
import * as repo from './repo.ts';

const purposeFor = (userId: number) => `passkey-confirm:${userId}`;

export async function startPasskeyConfirmation(ctx: SignedInContext, site: Site) {
  requirePasskeySignIn(ctx);
  const { user } = ctx.signedIn;
  return requestAssertion(ctx, site, purposeFor(user.id), await repo.listPasskeys(ctx.db, user.id));
}

/** Throws unless one of the user's passkeys signed the challenge. Each challenge works once. */
export async function requirePasskey(
  ctx: SignedInContext,
  site: Site,
  { state, response }: PasskeySignInInput,
): Promise<void> {
  requirePasskeySignIn(ctx);
  const { user } = ctx.signedIn;
  const { challenge, expiresAt } = openChallenge(ctx, purposeFor(user.id), state);
  const attempts = [ipAddressAttempt(ctx)];
  await reserveAttempts(ctx, attempts);
  const account = await findUserById(ctx.db, user.id);
  const passkey = await repo.findPasskey(ctx.db, response.id);
  const isOwn = account && passkey?.user_id === account.id;
  const counter = isOwn ? await verifyAssertion(site, challenge, account, passkey, response) : undefined;
  if (!passkey || counter === undefined || !(await consumeOnce(ctx.db, challenge, expiresAt))) {
    await recordActivity(ctx, 'credential.refused', subjectOf(user), { factor: 'passkey' });
    throw new AppError('PASSKEY_FAILED', 'This passkey does not open your account');
  }
  await forgiveAttempts(ctx, attempts);
  await repo.recordUse(ctx.db, passkey.id, counter, ctx.deps.clock.now());
}
