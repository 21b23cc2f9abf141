import type { Role } from '@customer-database/contract/permissions';
import type { ManagedUser, User } from '@customer-database/contract/users';
import type { ManagedUserRow } from './repo.ts';
import type { Handover } from './temporary-password.ts';

type PresentableUser = {
  id: number;
  name: string;
  email: string;
  phone_number: string | null;
  role: Role;
} & ({ mfa_secret: Buffer | null } | { mfa_enabled: boolean });

export function presentUser(user: PresentableUser): User {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone_number: user.phone_number,
    role: user.role,
    mfa_enabled: 'mfa_enabled' in user ? user.mfa_enabled : user.mfa_secret !== null,
  };
}

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

export function presentHandover(handover: Handover) {
  return handover.delivery === 'mail'
    ? { delivery: handover.delivery }
    : { delivery: handover.delivery, temporary_password: handover.temporaryPassword };
}
