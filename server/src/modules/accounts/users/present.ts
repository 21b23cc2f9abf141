import type { ManagedUser } from '@customer-database/contract/users';
import { presentUser } from '../present.ts';
import type { ManagedUserRow } from './repo.ts';

export function presentManagedUser(user: ManagedUserRow): ManagedUser {
  return {
    ...presentUser({ ...user, mfa_enabled: Boolean(user.mfa_enabled) }),
    passkeys: user.passkeys ?? 0,
    state: user.state,
    expires_at: user.expires_at?.toISOString() ?? null,
    last_seen_at: user.last_seen_at?.toISOString() ?? null,
    created_at: user.created_at.toISOString(),
  };
}
