import type { SignedInContext } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import * as repo from './repo.ts';

/**
 * For every change to the second factors of an account: a session opened with the password alone must first pass one of
 * the existing factors. Commands call this in their transaction after they have locked the user, because another
 * session may add the first factor meanwhile.
 */
export async function requireExistingFactor({ db, signedIn }: SignedInContext): Promise<void> {
  if (signedIn.hasSecondFactor || !(await repo.hasFactor(db, signedIn.user.id))) return;
  throw new AppError('SECOND_FACTOR_REQUIRED', 'Please confirm with a passkey or an MFA code first');
}
