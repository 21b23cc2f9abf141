export const roles = ['staff', 'admin'] as const;
export type Role = (typeof roles)[number];

/** What each role may do. The server enforces it; the screens hide the rest. */
export const permissions = {
  'dashboard.read': ['staff', 'admin'],
  'profile.manage': ['staff', 'admin'],
  'customers.read': ['staff', 'admin'],
  'customers.manage': ['admin'],
  'documents.read': ['staff', 'admin'],
  'documents.manage': ['admin'],
  'users.invite': ['admin'],
  'users.manage': ['admin'],
  'maintenance.read': ['admin'],
  'activity.read': ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function isAllowed(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission];
  return allowed.includes(role);
}

/** How far an API token goes; it never goes further than the role of its person. */
export const tokenScopes = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

const readScope: Permission[] = ['dashboard.read', 'customers.read', 'documents.read'];
const writeScope: Permission[] = [...readScope, 'customers.manage', 'documents.manage'];

/** In a session only: managing the own account, its password and its tokens, and inviting others. */
const permissionsOfScope: Record<TokenScope, readonly Permission[]> = {
  read: readScope,
  write: writeScope,
  admin: [...writeScope, 'users.manage', 'maintenance.read', 'activity.read'],
};

export const isInScope = (scope: TokenScope, permission: Permission) =>
  permissionsOfScope[scope].includes(permission);

/** Whether no token may do it. */
export const needsOwnSession = (permission: Permission) =>
  !tokenScopes.some((scope) => isInScope(scope, permission));

/** The scopes that mean something for a role. */
export const scopesOf = (role: Role): TokenScope[] => (role === 'admin' ? [...tokenScopes] : ['read']);
