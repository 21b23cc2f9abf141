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

/** More than any request needs; a parser spends its time and its stack on each level. */
const maxDepth = 32;

export function refuseDepth(depth: number): void {
  if (depth > maxDepth) throw new AppError('MALFORMED_REQUEST', 'The request is nested too deeply');
}

const [quote, backslash, open, close, openList, closeList] = Buffer.from('"\\{}[]');

/** Reads bytes, because the text need not be JSON. */
function refuseDeepJson(body: Buffer): void {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (isInString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === open || byte === openList) refuseDepth(++depth);
    else if (byte === close || byte === closeList) depth -= 1;
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
      refuseDeepJson(body as Buffer);
      parse(request, decodeUtf8(body as Buffer), done);
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
