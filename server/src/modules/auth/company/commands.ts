import { type Context, inTransaction } from '../../../core/context.ts';
import { randomToken } from '../../../crypto/tokens.ts';
import { AppError, toAppError } from '../../../http/errors.ts';
import { lockUser } from '../../identity/repo.ts';
import { openSession, recordFailure, type Session } from '../sign-in.ts';
import { useOnce } from '../single-use.ts';
import { addressAttempt, forgiveAttempts, reserveAttempts } from '../throttle.ts';
import { admitCompanyUser } from './accounts.ts';
import { beginJourney, type Departure, endJourney } from './claims.ts';
import type { Arrival, Journey } from './ticket.ts';

const refusals = {
  failed: 'The sign-in at your company did not succeed. Please try again.',
  unavailable: "Your company's sign-in does not answer. Please try again later.",
  unverified: 'Your company has not confirmed your email address, which decides who you are here.',
  unknown: 'You have no access here. Ask an administrator for an invitation.',
};

const failed = (text: string) => new AppError('COMPANY_SIGN_IN_FAILED', text);

export type Outcome = Omit<Arrival, 'expires'>;

const refused = (refusal: string): Outcome => ({ id: randomToken(), refusal });

/** Errors of the network, and answers of a provider that is in trouble. */
const isUnavailable = (error: unknown) =>
  error instanceof TypeError ||
  (error instanceof Error && /timeout|timed out|fetch failed|unexpected HTTP response/i.test(error.message));

/** What is wrong with an answer is for the log: whoever made it up learns nothing. */
function providerFailure({ deps }: Context, error: unknown): AppError {
  deps.log.warn({ err: error }, 'a company sign-in failed');
  return failed(isUnavailable(error) ? refusals.unavailable : refusals.failed);
}

/** The browser is on its way between two sites: errors, too, are shown by the pages. */
async function orRefusal<T>({ deps }: Context, attempt: Promise<T>): Promise<T | Outcome> {
  return attempt.catch((error: unknown) => {
    const known = toAppError(error);
    if (known !== error) deps.log.error({ err: error }, 'a company sign-in failed on our side');
    return refused(known.message);
  });
}

/** Where the browser goes, or why it cannot. */
export function depart(ctx: Context, confirms: boolean): Promise<Departure | Outcome> {
  const departure = beginJourney(ctx.deps, confirms).catch((error: unknown) => {
    throw providerFailure(ctx, error);
  });
  return orRefusal(ctx, departure);
}

async function admit(ctx: Context, answer: URL, journey: Journey | undefined): Promise<Outcome> {
  if (!journey) throw failed(refusals.failed);
  const attempts = [addressAttempt(ctx)];
  await reserveAttempts(ctx, attempts);
  const company = await endJourney(ctx.deps, answer, journey).catch((error: unknown) => {
    throw providerFailure(ctx, error);
  });
  const user = await admitCompanyUser(ctx, company);
  if (!user) {
    await recordFailure(ctx, undefined, company.label, 'company');
    throw failed(company.email === undefined ? refusals.unverified : refusals.unknown);
  }
  await forgiveAttempts(ctx, attempts);
  return { id: randomToken(), userId: user.id, provenAt: company.provenAt };
}

/** Checks the provider's answer, and finds or makes the account. */
export const arrive = (ctx: Context, answer: URL, journey: Journey | undefined): Promise<Outcome> =>
  orRefusal(ctx, admit(ctx, answer, journey));

/** Gives the pages the session, once. It counts as both factors: the company says how its people prove themselves. */
export async function finishCompanySignIn(ctx: Context, arrival: Arrival | undefined): Promise<Session> {
  const { id, userId, provenAt, refusal, expires } = arrival ?? {};
  if (id === undefined || userId === undefined || expires === undefined)
    throw failed(refusal ?? refusals.failed);
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, userId);
    const isFirst = await useOnce(tx, id, new Date(expires));
    if (!user || user.disabled_at || !isFirst) throw failed(refusals.failed);
    // Who was signed in there already has shown nothing now: before a change that needs it, they sign in again.
    const proof = { hasSecondFactor: true, provenAt: new Date(provenAt ?? 0) };
    return openSession(tx, user, proof, { factor: 'company' });
  });
}
