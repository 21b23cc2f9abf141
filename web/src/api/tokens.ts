import type {
  ApiTokenInput,
  apiTokenListResponse,
  createdApiTokenResponse,
} from '@customer-database/contract/tokens';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './client.ts';
import { withReauthentication } from './reauthentication.ts';

export const tokenListQuery = queryOptions({
  queryKey: ['auth', 'tokens'],
  queryFn: ({ signal }) => call<z.infer<typeof apiTokenListResponse>>('GET', '/api/auth/tokens', { signal }),
});

/** Returns the token itself, which the server never shows again. */
export async function createToken(input: ApiTokenInput): Promise<string> {
  const { token } = await withReauthentication(() =>
    call<z.infer<typeof createdApiTokenResponse>>('POST', '/api/auth/tokens', { body: input }),
  );
  return token;
}

export function revokeToken(id: number): Promise<{ message: string }> {
  return call('DELETE', `/api/auth/tokens/${id}`);
}
