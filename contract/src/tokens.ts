import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';
import { tokenScopes } from './permissions.ts';

export const apiToken = z
  .object({
    id: z.int(),
    name: z.string(),
    scope: z.enum(tokenScopes),
    created_at: field.timestamp,
    expires_at: field.timestamp,
    last_used_at: field.timestamp.nullable(),
    last_address: z.string().nullable(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiToken>;

export const apiTokenInput = z.strictObject({
  name: field.requiredLine('Name', limits.tokenNameLength),
  scope: z.enum(tokenScopes, { error: `Scope must be one of ${tokenScopes.join(', ')}` }),
  expires_in_days: field.integerIn('Days', 1, limits.maxTokenDays).default(90),
});
export type ApiTokenInput = z.infer<typeof apiTokenInput>;

export const apiTokenListResponse = z.object({ api_tokens: z.array(apiToken) });
export const createdApiTokenResponse = z.object({
  message: z.string(),
  token: z.string().describe('Shown once: the server stores only its hash'),
  api_token: apiToken,
});
