import type { Role } from '@customer-database/contract/permissions';
import type { User } from '@customer-database/contract/users';

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
