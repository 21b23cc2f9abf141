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

/** The library makes the options in the format that browsers read. */
export function presentChallenge(challenge: {
  options: { challenge: string };
  state: string;
}): PasskeyChallengeResponse {
  return { options: { ...challenge.options }, state: challenge.state };
}
