import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@customer-database/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sendError, toAppError } from './errors.ts';

/** Hooks do not run without a route, so these responses set the headers themselves. */
const bareHeaders = (requestId: string) => ({
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

/** For URLs that the router cannot parse. */
export function answerBadAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // Not its message, which repeats the URL with its query.
  request.log.debug({ code: error.code }, 'a request without a readable address');
  sendError(request, reply.headers(bareHeaders(request.id)), toAppError(error));
}

const clientErrors: Record<string, [status: number, text: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
};

/** For data that is not an HTTP request. None of it can be trusted, so the connection is closed. */
export function answerBadClient(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const [status, text] = clientErrors[error.code ?? ''] ?? [400, 'The request could not be understood'];
    const request_id = randomUUID();
    const body: ErrorBody = { error: text, code: 'MALFORMED_REQUEST', request_id };
    const payload = JSON.stringify(body);
    const headers = {
      ...bareHeaders(request_id),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(payload),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', payload].join('\r\n'));
  }
  socket.destroySoon();
}
