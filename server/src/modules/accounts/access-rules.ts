import type { FastifyRequest } from 'fastify';
import type { Context, SignedInContext } from '../../core/context.ts';
import type { Deps } from '../../core/deps.ts';
import { isSameText } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';

/** The access of calls that a restricted session needs to lift its restriction. */
export const ownAccount = {
  /** To replace a temporary password. */
  always: { permission: 'profile.manage', beforePasswordChange: true, beforeSecondFactor: true },
  /** To set up a second factor where one is required. */
  withoutSecondFactor: { permission: 'profile.manage', beforeSecondFactor: true },
} as const;

/** For the calls that open a session: with INTERNAL_ACCESS_SECRET set, clients must send it. */
export function requireInternalAccess({ config: { internalAccessSecret } }: Deps) {
  return async ({ headers: { 'x-internal-access': given } }: FastifyRequest): Promise<void> => {
    if (internalAccessSecret && !(typeof given === 'string' && isSameText(given, internalAccessSecret))) {
      throw new AppError('INTERNAL_ACCESS_REQUIRED', 'Signing in is not allowed from here');
    }
  };
}

const confirmationTtlMs = 15 * 60_000;

/** For changes with which a stolen session could take over the account. */
export function requireRecentConfirmation(ctx: SignedInContext): void {
  if (ctx.signedIn.token) throw new AppError('FORBIDDEN', 'API tokens cannot do this: sign in for it');
  if (ctx.deps.clock.now().getTime() - ctx.signedIn.confirmedAt.getTime() > confirmationTtlMs) {
    throw new AppError('CONFIRMATION_REQUIRED', 'Please confirm that it is you');
  }
}

export const passwordSignInOff = ({ deps: { config } }: Context) =>
  new AppError('PASSWORD_SIGN_IN_OFF', `Please sign in with ${config.oidc?.name}`);
