import type { Passkey, PasskeyChallengeResponse } from '@customer-database/contract/passkeys';
import type { PasskeyRow } from './repo.ts';

export function presentPasskey(passkey: PasskeyRow): Passkey {
  return {
    id: passkey.id,
    name: passkey.name,
    created_at: passkey.created_at.toISOString(),
    last_used_at: passkey.last_used_at?.toISOString() ?? null,
  };
}

/** The options are the browser's own format, made by the library for exactly this. */
export function presentChallenge(asked: {
  options: { challenge: string };
  state: string;
}): PasskeyChallengeResponse {
  return { options: { ...asked.options }, state: asked.state };
}
