import type { ApiToken } from '@customer-database/contract/tokens';
import type { TokenRow } from './repo.ts';

export function presentToken(token: TokenRow): ApiToken {
  return {
    id: token.id,
    name: token.name,
    scope: token.scope,
    created_at: token.created_at.toISOString(),
    expires_at: token.expires_at.toISOString(),
    last_used_at: token.last_used_at?.toISOString() ?? null,
    last_address: token.last_address,
  };
}
