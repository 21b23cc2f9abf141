import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../core/deps.ts';
import { openUnexpired, sealUntil } from '../../../crypto/secretbox.ts';
import { readCookie, setCookie } from '../../../http/cookies.ts';

const path = '/api/auth/oidc';

const state = z.object({
  state: z.string(),
  nonce: z.string(),
  /** The code verifier of PKCE. */
  verifier: z.string(),
  expires: z.number(),
  /** Whether a signed-in user confirms the session. */
  confirms: z.boolean(),
});
export type State = z.infer<typeof state>;

const result = z.object({
  id: z.string(),
  userId: z.number().optional(),
  provenAt: z.number().optional(),
  refusal: z.string().optional(),
  expires: z.number(),
});
export type SignInResult = z.infer<typeof result>;

type Cookie<T> = { name: string; schema: z.ZodType<T>; seconds: number; sameSite: 'lax' | 'strict' };

/** Lives from the authorization request to the callback. Lax, because the provider's site redirects to the callback. */
export const stateCookie: Cookie<State> = {
  name: 'oidc-state',
  schema: state,
  seconds: 600,
  sameSite: 'lax',
};

/** Lives from the callback until the login screen exchanges it for a session. */
export const resultCookie: Cookie<SignInResult> = {
  name: 'oidc-result',
  schema: result,
  seconds: 60,
  sameSite: 'strict',
};

const isSecure = ({ config }: Deps) => config.publicUrl?.startsWith('https:') === true;

export function sendCookie<T extends { expires: number }>(
  deps: Deps,
  reply: FastifyReply,
  { name, seconds, sameSite }: Cookie<T>,
  fields: Omit<T, 'expires'>,
): void {
  const expires = deps.clock.now().getTime() + seconds * 1000;
  const value = sealUntil(deps.keys.secretbox, name, fields, expires);
  setCookie(reply, { name, value, path, sameSite, secure: isSecure(deps), maxAge: seconds });
}

/** Reads and deletes the cookie. Undefined when it is missing, forged or expired. */
export function consumeCookie<T extends { expires: number }>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, schema, sameSite }: Cookie<T>,
): T | undefined {
  const sealed = readCookie(request, name);
  setCookie(reply, { name, value: '', path, sameSite, secure: isSecure(deps), maxAge: 0 });
  const fields = sealed && openUnexpired(deps.keys.secretbox, name, sealed, deps.clock.now());
  return schema.safeParse(fields).data;
}
