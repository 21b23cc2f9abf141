import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { isSameText } from '../../crypto/tokens.ts';
import { AppError } from '../../http/errors.ts';

/** For the calls that open a session: with INTERNAL_ACCESS_SECRET set, clients must send it. */
export function requireInternalAccess({ config: { internalAccessSecret } }: Deps) {
  return async ({ headers: { 'x-internal-access': given } }: FastifyRequest): Promise<void> => {
    if (internalAccessSecret && !(typeof given === 'string' && isSameText(given, internalAccessSecret))) {
      throw new AppError('INTERNAL_ACCESS_REQUIRED', 'Signing in is not allowed from here');
    }
  };
}
