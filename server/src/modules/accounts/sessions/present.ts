import type { SessionListResponse, SessionResponse } from '@customer-database/contract/auth';
import { presentUser } from '../present.ts';
import type { OpenSession } from './commands.ts';
import type { Session } from './open-session.ts';

export function presentSession({ token, user }: Session): SessionResponse {
  return {
    token,
    user: presentUser(user),
    ...(user.must_change_password && { require_password_change: true }),
  };
}

export function presentOpenSession(
  session: OpenSession,
  currentId: number,
): SessionListResponse['sessions'][number] {
  return {
    id: session.id,
    device: session.device,
    address: session.address,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    is_current: session.id === currentId,
  };
}
