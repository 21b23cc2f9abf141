import type { SessionListResponse, SessionResponse } from '@customer-database/contract/auth';
import type { Passkey, PasskeyChallengeResponse } from '@customer-database/contract/passkeys';
import type { ApiToken } from '@customer-database/contract/tokens';
import { presentUser } from '../users/present.ts';
import type { PasskeyRow } from './passkey-repo.ts';
import type { OpenSession } from './sessions.ts';
import type { Session } from './sign-in.ts';
import type { TokenRow } from './token-repo.ts';

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

export function presentPasskey(passkey: PasskeyRow): Passkey {
  return {
    id: passkey.id,
    name: passkey.name,
    created_at: passkey.created_at.toISOString(),
    last_used_at: passkey.last_used_at?.toISOString() ?? null,
  };
}

export function presentToken(token: TokenRow): ApiToken {
  return {
    id: token.id,
    name: token.name,
    scope: token.scope,
    created_at: token.created_at.toISOString(),
    expires_at: token.expires_at.toISOString(),
    last_used_at: token.last_used_at?.toISOString() ?? null,
    last_address: token.last_address,
  };
}

/** The options are the browser's own format, made by the library for exactly this. */
export function presentChallenge(asked: {
  options: { challenge: string };
  state: string;
}): PasskeyChallengeResponse {
  return { options: { ...asked.options }, state: asked.state };
}
