import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name];
}

/** No script reads any of them. */
export function setCookie(reply: FastifyReply, cookie: Omit<SetCookie, 'httpOnly'>): void {
  reply.header('set-cookie', stringifySetCookie({ ...cookie, httpOnly: true }));
}
