import type { FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';

/**
 * For links that only the caller gets to see. Mails never use this: their links come from the
 * settings alone, as a client can forge the Host header.
 */
export function originOf(config: Config, request: FastifyRequest): string {
  if (config.publicUrl) return config.publicUrl;
  const host = /^[\w.:[\]-]{1,255}$/.test(request.host) ? request.host : `${config.host}:${config.port}`;
  return `${request.protocol}://${host}`;
}

/** Where the pages are: a passkey works there and nowhere else. */
export type Site = { origin: string; host: string };

export function siteOf(config: Config, request: FastifyRequest): Site {
  const elsewhere = config.corsOrigins.find((allowed) => allowed === request.headers.origin);
  const { origin, hostname } = new URL(elsewhere ?? originOf(config, request));
  return { origin, host: hostname };
}
