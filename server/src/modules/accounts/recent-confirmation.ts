import type { SignedInContext } from '../../core/context.ts';
import { AppError } from '../../http/errors.ts';

const confirmationTtlMs = 15 * 60_000;

/** For changes with which a stolen session could take over the account. */
export function requireRecentConfirmation(ctx: SignedInContext): void {
  if (ctx.signedIn.token) throw new AppError('FORBIDDEN', 'API tokens cannot do this: sign in for it');
  if (ctx.deps.clock.now().getTime() - ctx.signedIn.confirmedAt.getTime() > confirmationTtlMs) {
    throw new AppError('CONFIRMATION_REQUIRED', 'Please confirm that it is you');
  }
}
