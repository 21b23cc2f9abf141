import type { FastifyError, FastifyRequest } from 'fastify';
import type { Context } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { requireSignedIn } from '../../../http/access.ts';
import { contextOf } from '../../../http/context.ts';
import { type Attempt, passwordAttempts, refuseThrottled } from './throttle.ts';

/** The attempts that a request counts as, read from a body that may be invalid. */
export type AttemptsOf = (ctx: Context, request: FastifyRequest) => Attempt[] | Promise<Attempt[]>;

/**
 * The error handler of calls with a credential: a throttled caller gets 429 even for an invalid body, instead of the
 * errors of validation.
 */
export const throttleBeforeValidation =
  (deps: Deps, attemptsOf: AttemptsOf) => async (error: FastifyError, request: FastifyRequest) => {
    if (error.validation) {
      const ctx = contextOf(deps, request);
      await refuseThrottled(ctx, await attemptsOf(ctx, request));
    }
    throw error;
  };

export const bodyFields = ({ body }: FastifyRequest): Record<string, unknown> => ({
  ...(body as object | undefined),
});

export const ownPasswordAttempts: AttemptsOf = (ctx, request) =>
  passwordAttempts(ctx, requireSignedIn(request).user.id);
