import { mfaVerifyLoginInput } from '@customer-database/contract/auth';
import { hashToken } from '../../../crypto/tokens.ts';
import { requireSignedIn } from '../../../http/access.ts';
import { ipAddressAttempt } from '../throttle/throttle.ts';
import { type AttemptsOf, bodyFields } from '../throttle/throttle-before-validation.ts';
import { mfaAttempts } from './codes.ts';
import { findChallengedUser } from './repo.ts';

export const mfaSignInAttempts: AttemptsOf = async (ctx, request) => {
  const token = mfaVerifyLoginInput.shape.mfa_token.safeParse(bodyFields(request).mfa_token).data;
  const user = token && (await findChallengedUser(ctx.db, hashToken(token), ctx.deps.clock.now()));
  return user ? mfaAttempts(ctx, user.id) : [ipAddressAttempt(ctx)];
};

export const ownCodeAttempts: AttemptsOf = (ctx, request) =>
  mfaAttempts(ctx, requireSignedIn(request).user.id);
