import type { Context } from '../../../core/context.ts';
import { openUnexpired, sealUntil } from '../../../crypto/secretbox.ts';
import { AppError } from '../../../http/errors.ts';

const challengeTtlMs = 5 * 60_000;

/** The browser keeps the challenge, so that requesting one writes nothing to the database. */
export function sealChallenge({ deps }: Context, purpose: string, challenge: string): string {
  return sealUntil(deps.keys.secretbox, purpose, { challenge }, deps.clock.now().getTime() + challengeTtlMs);
}

export function openChallenge(
  { deps }: Context,
  purpose: string,
  state: string,
): { challenge: string; expiresAt: Date } {
  const opened = openUnexpired(deps.keys.secretbox, purpose, state, deps.clock.now());
  if (!opened) throw new AppError('PASSKEY_FAILED', 'This took too long. Please try again.');
  const { challenge, expires } = opened as { challenge: string; expires: number };
  return { challenge, expiresAt: new Date(expires) };
}
