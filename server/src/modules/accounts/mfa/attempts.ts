import { mfaVerifyLoginInput } from '@customer-database/contract/auth';
import { hashToken } from '../../../crypto/tokens.ts';
import { requireSignedIn } from '../../../http/access.ts';
import { addressAttempt } from '../throttle/throttle.ts';
import { type AttemptsOf, fieldsOf } from '../throttle/throttled-first.ts';
import { mfaAttempts } from './codes.ts';
import { findChallengedUser } from './repo.ts';

export const ofChallenge: AttemptsOf = async (ctx, request) => {
  const token = mfaVerifyLoginInput.shape.mfa_token.safeParse(fieldsOf(request).mfa_token).data;
  const user = token && (await findChallengedUser(ctx.db, hashToken(token), ctx.deps.clock.now()));
  return user ? mfaAttempts(ctx, user.id) : [addressAttempt(ctx)];
};

export const ofOwnCode: AttemptsOf = (ctx, request) => mfaAttempts(ctx, requireSignedIn(request).user.id);
