import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import type { Context } from '../core/context.ts';
import { originOf } from './origin.ts';

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name];
}

/** Scripts can read none of these cookies. */
export function setCookie(reply: FastifyReply, cookie: Omit<SetCookie, 'httpOnly'>): void {
  reply.header('set-cookie', stringifySetCookie({ ...cookie, httpOnly: true }));
}

const deviceCookie = 'device';
const deviceMaxAgeSeconds = 400 * 24 * 3600;

/** Adds the token of a browser that has signed in before. It grants no access: only the bearer token does. */
export function withDevice(ctx: Context, request: FastifyRequest): Context {
  const token = readCookie(request, deviceCookie);
  return { ...ctx, deviceToken: token && /^[\w-]{43}$/.test(token) ? token : undefined };
}

export function setDeviceCookie(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  setCookie(reply, {
    name: deviceCookie,
    value: token,
    path: '/api/auth',
    sameSite: 'strict',
    secure: originOf(config, request).startsWith('https:'),
    maxAge: deviceMaxAgeSeconds,
  });
}
