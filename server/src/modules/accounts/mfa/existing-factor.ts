import type { SignedInContext } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import * as repo from './repo.ts';

/**
 * For every change to the second factors of an account: a session that was opened with the password alone must pass
 * one that is there before it adds or removes one. A change calls it in its transaction, after it has locked the user,
 * because another session may add the first factor meanwhile.
 */
export async function requireExistingFactor({ db, signedIn }: SignedInContext): Promise<void> {
  if (signedIn.hasSecondFactor || !(await repo.hasFactor(db, signedIn.user.id))) return;
  throw new AppError('SECOND_FACTOR_REQUIRED', 'Please confirm with a passkey or an MFA code first');
}
