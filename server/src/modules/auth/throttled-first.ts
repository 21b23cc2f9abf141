import { loginInput, mfaVerifyLoginInput } from '@customer-database/contract/auth';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { Context } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { hashToken } from '../../crypto/tokens.ts';
import { requireSignedIn } from '../../http/access.ts';
import { contextOf } from '../../http/context.ts';
import { normalizeEmail } from '../identity/repo.ts';
import { mfaAttempts } from './mfa-codes.ts';
import { findChallengedUser } from './repo.ts';
import {
  type Attempt,
  accountAttempt,
  addressAttempt,
  callerAttempts,
  passwordAttempts,
  refuseThrottled,
  setupAttempts,
} from './throttle.ts';

/** What a request that is not valid would have counted for. */
type AttemptsOf = (ctx: Context, request: FastifyRequest) => Attempt[] | Promise<Attempt[]>;

/** A throttled caller gets 429 whatever the body says; only others learn what is wrong with it. */
const throttledFirst =
  (attemptsOf: AttemptsOf) => (deps: Deps) => async (error: FastifyError, request: FastifyRequest) => {
    if (error.validation) {
      const ctx = contextOf(deps, request);
      await refuseThrottled(ctx, await attemptsOf(ctx, request));
    }
    throw error;
  };

const fieldsOf = ({ body }: FastifyRequest): Record<string, unknown> => ({ ...(body as object | undefined) });
const userIdOf = (request: FastifyRequest) => requireSignedIn(request).user.id;

const ofSignIn: AttemptsOf = (ctx, request) => {
  const email = loginInput.shape.email.safeParse(fieldsOf(request).email).data;
  if (email === undefined) return [addressAttempt(ctx)];
  const account = normalizeEmail(email);
  return [...callerAttempts(ctx, account), accountAttempt(ctx, account)];
};

const ofChallenge: AttemptsOf = async (ctx, request) => {
  const token = mfaVerifyLoginInput.shape.mfa_token.safeParse(fieldsOf(request).mfa_token).data;
  const user = token && (await findChallengedUser(ctx.db, hashToken(token), ctx.deps.clock.now()));
  return user ? mfaAttempts(ctx, user.id) : [addressAttempt(ctx)];
};

const ofPassword: AttemptsOf = (ctx, request) => passwordAttempts(ctx, userIdOf(request));
const ofCode: AttemptsOf = (ctx, request) => mfaAttempts(ctx, userIdOf(request));

/** Error handlers of the calls that take a credential. */
export const throttledBefore = {
  signIn: throttledFirst(ofSignIn),
  challenge: throttledFirst(ofChallenge),
  setupCode: throttledFirst(setupAttempts),
  password: throttledFirst(ofPassword),
  code: throttledFirst(ofCode),
  passwordOrCode: throttledFirst((ctx, request) =>
    'code' in fieldsOf(request) ? ofCode(ctx, request) : ofPassword(ctx, request),
  ),
};
