import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../core/deps.ts';
import { open, seal } from '../../../crypto/secretbox.ts';
import { readCookie, setCookie } from '../../../http/cookies.ts';

const path = '/api/auth/oidc';

/** On the way to the provider: what its answer must fit. */
const journey = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expires: z.number(),
  /** Somebody who is signed in proves that it is them. */
  confirms: z.boolean(),
});
export type Journey = z.infer<typeof journey>;

/** On the way back to the pages: who may have a session, or why not. */
const arrival = z.object({
  id: z.string(),
  userId: z.number().optional(),
  provenAt: z.number().optional(),
  refusal: z.string().optional(),
  expires: z.number(),
});
export type Arrival = z.infer<typeof arrival>;

type Kind<T> = { name: string; schema: z.ZodType<T>; seconds: number; sameSite: 'lax' | 'strict' };

// The provider leads back from its own site: only lax cookies come along.
export const journeys: Kind<Journey> = {
  name: 'company-sign-in',
  schema: journey,
  seconds: 600,
  sameSite: 'lax',
};
export const arrivals: Kind<Arrival> = {
  name: 'company-arrival',
  schema: arrival,
  seconds: 60,
  sameSite: 'strict',
};

const isSecure = ({ config }: Deps) => config.publicUrl?.startsWith('https:') === true;

/** The browser keeps it sealed, so that nobody who only begins makes a table grow. */
export function giveTicket<T extends { expires: number }>(
  deps: Deps,
  reply: FastifyReply,
  { name, seconds, sameSite }: Kind<T>,
  facts: Omit<T, 'expires'>,
): void {
  const expires = deps.clock.now().getTime() + seconds * 1000;
  const value = seal(deps.keys.secretbox, name, JSON.stringify({ ...facts, expires })).toString('base64url');
  setCookie(reply, { name, value, path, sameSite, secure: isSecure(deps), maxAge: seconds });
}

/** Reads it once: the browser forgets it. Undefined when it is missing, made up or too old. */
export function takeTicket<T extends { expires: number }>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, schema, sameSite }: Kind<T>,
): T | undefined {
  const sealed = readCookie(request, name);
  setCookie(reply, { name, value: '', path, sameSite, secure: isSecure(deps), maxAge: 0 });
  if (!sealed) return undefined;
  try {
    const text = open(deps.keys.secretbox, name, Buffer.from(sealed, 'base64url'));
    const facts = schema.parse(JSON.parse(text));
    return facts.expires > deps.clock.now().getTime() ? facts : undefined;
  } catch {
    return undefined;
  }
}
