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
  /** Disable, enable, and reset the password or MFA. */
  'users.secure': ['admin'],
  'maintenance.read': ['admin'],
  'activity.read': ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function isAllowed(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission];
  return allowed.includes(role);
}

/** An API token has the permissions of its scope that the role of its user has too. */
export const tokenScopes = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

const readScope: Permission[] = ['dashboard.read', 'customers.read', 'documents.read'];
const writeScope: Permission[] = [...readScope, 'customers.manage', 'documents.manage'];

/** No scope has 'profile.manage', 'users.invite' and 'users.secure': these need a session. */
const permissionsOfScope: Record<TokenScope, readonly Permission[]> = {
  read: readScope,
  write: writeScope,
  admin: [...writeScope, 'users.manage', 'maintenance.read', 'activity.read'],
};

export const isInScope = (scope: TokenScope, permission: Permission) =>
  permissionsOfScope[scope].includes(permission);

export const isInAnyScope = (permission: Permission) =>
  tokenScopes.some((scope) => isInScope(scope, permission));

/** The scopes that users with this role can choose for a token. */
export const scopesOf = (role: Role): TokenScope[] => (role === 'admin' ? [...tokenScopes] : ['read']);
