import type { SessionResponse } from '@customer-database/contract/auth';
import { presentUser } from '../users/present.ts';
import type { Session } from './sign-in.ts';

export function presentSession({ token, user }: Session): SessionResponse {
  return {
    token,
    user: presentUser(user),
    ...(user.must_change_password && { require_password_change: true }),
  };
}
