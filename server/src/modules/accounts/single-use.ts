import type { Context } from '../../core/context.ts';
import { hashToken } from '../../crypto/tokens.ts';
import { insertUse } from './repo.ts';

/** False when the value was used before; it must be unguessable, and worthless once it has expired. */
export const useOnce = ({ db }: Context, value: string, expiresAt: Date): Promise<boolean> =>
  insertUse(db, hashToken(value), expiresAt);
