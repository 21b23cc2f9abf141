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
});
export type ProfileInput = z.infer<typeof profileInput>;
export const profileResponse = z.object({ message: z.string(), user });

export const inviteInput = z.strictObject({
  email: field.email,
  name: field.optionalLine('Name', limits.nameLength),
  role: z.enum(roles, { error: 'Role must be staff or admin' }).default('staff'),
});
export type InviteInput = z.infer<typeof inviteInput>;

export const inviteResponse = z.object({
  message: z.string(),
  user,
  delivery: z.enum(['mail', 'handover']),
  temporary_password: z
    .string()
    .optional()
    .describe('Only where no mail server is set up: shown once, to be handed over'),
});
