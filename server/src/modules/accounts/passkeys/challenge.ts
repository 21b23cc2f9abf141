import type { Context } from '../../../core/context.ts';
import { open, seal } from '../../../crypto/secretbox.ts';
import { AppError } from '../../../http/errors.ts';

export const challengeTtlMs = 5 * 60_000;

export type Challenge = { challenge: string; expiresAt: Date };

const expired = () => new AppError('PASSKEY_FAILED', 'This took too long. Please try again.');

/** The browser keeps the challenge, so that requesting one writes nothing to the database. */
export function sealChallenge(ctx: Context, purpose: string, challenge: string): string {
  const expires = ctx.deps.clock.now().getTime() + challengeTtlMs;
  return seal(ctx.deps.keys.secretbox, purpose, JSON.stringify({ challenge, expires })).toString('base64url');
}

export function openChallenge(ctx: Context, purpose: string, state: string): Challenge {
  const { challenge, expires } = readSealed(ctx, purpose, state);
  if (expires <= ctx.deps.clock.now().getTime()) throw expired();
  return { challenge, expiresAt: new Date(expires) };
}

function readSealed(ctx: Context, purpose: string, state: string): { challenge: string; expires: number } {
  try {
    return JSON.parse(open(ctx.deps.keys.secretbox, purpose, Buffer.from(state, 'base64url')));
  } catch {
    // Forged, or sealed for another purpose or user.
    throw expired();
  }
}
