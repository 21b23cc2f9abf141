import { loginInput } from '@customer-database/contract/auth';
import { normalizeEmail } from '../repo.ts';
import { accountAttempt, addressAttempt, callerAttempts } from '../throttle/throttle.ts';
import { type AttemptsOf, fieldsOf } from '../throttle/throttled-first.ts';

export const ofSignIn: AttemptsOf = (ctx, request) => {
  const email = loginInput.shape.email.safeParse(fieldsOf(request).email).data;
  if (email === undefined) return [addressAttempt(ctx)];
  const account = normalizeEmail(email);
  return [...callerAttempts(ctx, account), accountAttempt(ctx, account)];
};
