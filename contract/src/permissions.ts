export const roles = ['staff', 'admin'] as const;
export type Role = (typeof roles)[number];

/** What each role may do. The server enforces it; the screens hide the rest. */
export const permissions = {
  'dashboard.read': ['staff', 'admin'],
  'profile.manage': ['staff', 'admin'],
  'customers.read': ['staff', 'admin'],
  'customers.write': ['admin'],
  'documents.read': ['staff', 'admin'],
  'documents.write': ['admin'],
  'users.invite': ['admin'],
  'users.manage': ['admin'],
  'upkeep.read': ['admin'],
  'activity.read': ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function isAllowed(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission];
  return allowed.includes(role);
}
