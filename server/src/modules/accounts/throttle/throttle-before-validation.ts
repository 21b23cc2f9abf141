import type { FastifyError, FastifyRequest } from 'fastify';
import type { Context } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { requireSignedIn } from '../../../http/access.ts';
import { contextOf } from '../../../http/context.ts';
import { type Attempt, passwordAttempts, refuseThrottled } from './throttle.ts';

/** The attempts that a request counts for, read from a body that may be invalid. */
export type AttemptsOf = (ctx: Context, request: FastifyRequest) => Attempt[] | Promise<Attempt[]>;

/**
 * The error handler of calls that take a credential: a throttled caller gets 429 even for an invalid body; only others
 * learn what is wrong with it.
 */
export const throttledFirst =
  (deps: Deps, attemptsOf: AttemptsOf) => async (error: FastifyError, request: FastifyRequest) => {
    if (error.validation) {
      const ctx = contextOf(deps, request);
      await refuseThrottled(ctx, await attemptsOf(ctx, request));
    }
    throw error;
  };

export const fieldsOf = ({ body }: FastifyRequest): Record<string, unknown> => ({
  ...(body as object | undefined),
});

export const ofOwnPassword: AttemptsOf = (ctx, request) =>
  passwordAttempts(ctx, requireSignedIn(request).user.id);
