import type { Role } from '@customer-database/contract/permissions';

export const roleNames: Record<Role, string> = { staff: 'Staff', admin: 'Admin' };
