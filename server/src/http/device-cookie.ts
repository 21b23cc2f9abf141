import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import type { Context } from '../core/context.ts';
import { originOf } from './origin.ts';

const name = 'device';
const maxAgeSeconds = 400 * 24 * 3600;

/** Tells whether this browser has signed in before. It opens nothing: only the bearer token does. */
function deviceTokenOf(request: FastifyRequest): string | undefined {
  const token = parseCookie(request.headers.cookie ?? '')[name];
  return token && /^[\w-]{43}$/.test(token) ? token : undefined;
}

export const withDevice = (ctx: Context, request: FastifyRequest): Context => ({
  ...ctx,
  deviceToken: deviceTokenOf(request),
});

export function setDeviceCookie(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  const cookie = stringifySetCookie({
    name,
    value: token,
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: originOf(config, request).startsWith('https:'),
    maxAge: maxAgeSeconds,
  });
  reply.header('set-cookie', cookie);
}
