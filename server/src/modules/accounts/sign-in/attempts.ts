import { loginInput } from '@customer-database/contract/auth';
import { normalizeEmail } from '../repo.ts';
import { accountAttempt, callerAttempts, ipAddressAttempt } from '../throttle/throttle.ts';
import { type AttemptsOf, bodyFields } from '../throttle/throttle-before-validation.ts';

export const signInAttempts: AttemptsOf = (ctx, request) => {
  const email = loginInput.shape.email.safeParse(bodyFields(request).email).data;
  if (email === undefined) return [ipAddressAttempt(ctx)];
  const account = normalizeEmail(email);
  return [...callerAttempts(ctx, account), accountAttempt(ctx, account)];
};
