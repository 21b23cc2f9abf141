import { type Context, inTransaction } from '../../../core/context.ts';
import { randomToken } from '../../../crypto/tokens.ts';
import { AppError, toAppError } from '../../../http/errors.ts';
import { consumeOnce, lockUser } from '../repo.ts';
import { openSession, recordFailure, type Session } from '../sessions/open-session.ts';
import { forgiveAttempts, ipAddressAttempt, reserveAttempts } from '../throttle/throttle.ts';
import {
  type AuthorizationRequest,
  createAuthorizationRequest,
  exchangeCode,
} from './authorization-request.ts';
import { admitOidcUser } from './link-account.ts';
import type { SignInResult, State } from './state-cookie.ts';

const refusals = {
  failed: 'The sign-in at your company did not succeed. Please try again.',
  unavailable: "Your company's sign-in does not answer. Please try again later.",
  unverified: 'Your company has not confirmed your email address, which decides who you are here.',
  unknown: 'You have no access here. Ask an administrator for an invitation.',
};

const failed = (text: string) => new AppError('COMPANY_SIGN_IN_FAILED', text);

type Outcome = Omit<SignInResult, 'expires'>;

const refused = (refusal: string): Outcome => ({ id: randomToken(), refusal });

/** Network errors, and server errors of the provider. */
const isUnavailable = (error: unknown) =>
  error instanceof TypeError ||
  (error instanceof Error && /timeout|timed out|fetch failed|unexpected HTTP response/i.test(error.message));

/** The cause is logged, not returned: a forged callback learns nothing. */
function providerFailure({ deps }: Context, error: unknown): AppError {
  deps.log.warn({ err: error }, 'a company sign-in failed');
  return failed(isUnavailable(error) ? refusals.unavailable : refusals.failed);
}

/** These calls end in a redirect, so the login screen shows the error. */
async function refusalOnError<T>({ deps }: Context, attempt: Promise<T>): Promise<T | Outcome> {
  return attempt.catch((error: unknown) => {
    const known = toAppError(error);
    if (known !== error) deps.log.error({ err: error }, 'a company sign-in failed with an internal error');
    return refused(known.message);
  });
}

export function startOidcSignIn(ctx: Context, confirms: boolean): Promise<AuthorizationRequest | Outcome> {
  const request = createAuthorizationRequest(ctx.deps, confirms).catch((error: unknown) => {
    throw providerFailure(ctx, error);
  });
  return refusalOnError(ctx, request);
}

async function admit(ctx: Context, callback: URL, state: State | undefined): Promise<Outcome> {
  if (!state) throw failed(refusals.failed);
  const attempts = [ipAddressAttempt(ctx)];
  await reserveAttempts(ctx, attempts);
  const oidcUser = await exchangeCode(ctx.deps, callback, state).catch((error: unknown) => {
    throw providerFailure(ctx, error);
  });
  const user = await admitOidcUser(ctx, oidcUser);
  if (!user) {
    await recordFailure(ctx, undefined, oidcUser.label, 'company');
    throw failed(oidcUser.email === undefined ? refusals.unverified : refusals.unknown);
  }
  await forgiveAttempts(ctx, attempts);
  return { id: randomToken(), userId: user.id, provenAt: oidcUser.provenAt };
}

/** Verifies the callback, and finds or creates the account. */
export const handleCallback = (ctx: Context, callback: URL, state: State | undefined): Promise<Outcome> =>
  refusalOnError(ctx, admit(ctx, callback, state));

/** Exchanges a result for a session, once. Counts as both factors: the company decides how its users authenticate. */
export async function finishOidcSignIn(ctx: Context, result: SignInResult | undefined): Promise<Session> {
  const { id, userId, provenAt, refusal, expires } = result ?? {};
  if (id === undefined || userId === undefined || expires === undefined)
    throw failed(refusal ?? refusals.failed);
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, userId);
    const isFirst = await consumeOnce(tx.db, id, new Date(expires));
    if (!user || user.disabled_at || !isFirst) throw failed(refusals.failed);
    // The provider may have reused an earlier session, so without its time the new session is not confirmed.
    const proof = { hasSecondFactor: true, provenAt: new Date(provenAt ?? 0) };
    return openSession(tx, user, proof, { factor: 'company' });
  });
}
