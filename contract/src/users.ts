import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';
import { roles } from './permissions.ts';

export const user = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    phone_number: z.string().nullable(),
    role: z.enum(roles),
    mfa_enabled: z.boolean(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

export const profileInput = z.strictObject({
  name: field.requiredLine('Name', limits.nameLength).optional(),
  email: field.email.optional(),
  phone_number: field.optionalLine('Phone number', limits.phoneLength),
  revoke_tokens: field.revokeTokens,
});
export type ProfileInput = z.infer<typeof profileInput>;
export const profileResponse = z.object({ message: z.string(), user });

export const inviteInput = z.strictObject({
  email: field.email,
  name: field.optionalLine('Name', limits.nameLength),
  role: z.enum(roles, { error: 'Role must be staff or admin' }).default('staff'),
});
export type InviteInput = z.infer<typeof inviteInput>;

const credentialDelivery = {
  message: z.string(),
  delivery: z.enum(['mail', 'handover']),
  temporary_password: z
    .string()
    .optional()
    .describe(
      'Shown once, for the administrator to pass on; only without a mail server and with password sign-in',
    ),
};

export const inviteResponse = z.object({ ...credentialDelivery, user });

export const userStates = ['active', 'invited', 'expired', 'disabled'] as const;
export type UserState = (typeof userStates)[number];

export const managedUser = z
  .object({
    ...user.shape,
    passkeys: field.count,
    state: z
      .enum(userStates)
      .describe('invited: has never chosen a password; expired: the temporary password no longer works'),
    expires_at: field.timestamp
      .nullable()
      .describe('When the temporary password expires; null once the user has chosen another one'),
    last_seen_at: field.timestamp.nullable(),
    created_at: field.timestamp,
  })
  .meta({ id: 'ManagedUser' });
export type ManagedUser = z.infer<typeof managedUser>;

export const userOrders = ['name', 'email', 'role', 'state', 'mfa_enabled', 'last_seen_at'] as const;
export type UserOrder = (typeof userOrders)[number];

export const userListQuery = z.strictObject({
  ...field.pageQuery.shape,
  q: field.optionalLine('Search', limits.searchTermLength).describe('Part of the name or the email'),
  sort: z.enum(userOrders, { error: `Sort must be one of ${userOrders.join(', ')}` }).default('name'),
  order: z.enum(['asc', 'desc'], { error: 'Order must be asc or desc' }).default('asc'),
});
export type UserListQuery = z.infer<typeof userListQuery>;

export const userListResponse = z.object({
  users: z.array(managedUser),
  ...field.pageCounts,
});
export const managedUserResponse = z.object({ user: managedUser });
export const changedUserResponse = z.object({ message: z.string(), user: managedUser });
export const credentialDeliveryResponse = z.object({ ...credentialDelivery, user: managedUser });

export const updateUserInput = z
  .strictObject({
    name: field.requiredLine('Name', limits.nameLength),
    role: z.enum(roles, { error: 'Role must be staff or admin' }),
  })
  .partial();
export type UpdateUserInput = z.infer<typeof updateUserInput>;
