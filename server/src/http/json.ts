import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The request is not valid UTF-8');
  }
}

/** Rejects anything but JSON, and invalid UTF-8 instead of silently replacing it. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // JSON content type with an empty body means 'no body'.
    if (body.length === 0) return done(null, undefined);
    try {
      parse(request, decodeUtf8(body as Buffer), done);
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
