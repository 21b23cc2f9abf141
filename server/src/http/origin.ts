import type { FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';

/**
 * Where the caller can fetch a link that goes back to nobody but them. Mails never use this: their
 * links come from the settings alone.
 */
export function originOf(config: Config, request: FastifyRequest): string {
  if (config.publicUrl) return config.publicUrl;
  const host = /^[\w.:[\]-]{1,255}$/.test(request.host) ? request.host : `${config.host}:${config.port}`;
  return `${request.protocol}://${host}`;
}
