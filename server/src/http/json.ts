import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The request is not valid UTF-8');
  }
}

// More than any request needs. Parsing a million fields takes a second, a string of the same length 50 ms.
const maxDepth = 32;
const maxTokens = 10_000;

const [quote, backslash, open, close, openList, closeList, comma] = Buffer.from('"\\{}[],');

/** The next quote that is not escaped. Strings are long, and most have no escape: then Node finds their end. */
function endOfString(body: Buffer, start: number): number {
  const end = body.indexOf('"', start);
  if (end < 0) return body.length;
  if (!body.subarray(start, end).includes('\\')) return end;
  let at = start;
  while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1;
  return at;
}

/** Reads bytes, because the text need not be JSON. */
function refuseCostlyJson(body: Buffer): void {
  let depth = 0;
  let tokens = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) at = endOfString(body, at + 1);
    else if (byte === open || byte === openList) depth += 1;
    else if (byte === close || byte === closeList) depth -= 1;
    else if (byte !== comma) continue;
    tokens += 1;
    if (depth > maxDepth) throw new AppError('MALFORMED_REQUEST', 'The request is nested too deeply');
    if (tokens > maxTokens) throw new AppError('MALFORMED_REQUEST', 'The request has too many fields');
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
      refuseCostlyJson(body as Buffer);
      parse(request, decodeUtf8(body as Buffer), done);
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
