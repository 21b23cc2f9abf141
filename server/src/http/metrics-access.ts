import type { FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import { isSameText } from '../crypto/tokens.ts';
import { AppError, notFound } from './errors.ts';

const loopback = /^(::ffff:)?127\.|^::1$/;
/** A local proxy sets these for requests that it forwards. */
const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/** An attacker can point any other host name at this machine and read the answer in a visitor's browser (DNS rebinding). */
const isAskedByLocalName = (host: string | undefined) => loopbackHost.test(host?.replace(/:\d+$/, '') ?? '');

function isLocalRequest({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = forwardingHeaders.some((name) => name in headers);
  return loopback.test(socket.remoteAddress ?? '') && !isForwarded && isAskedByLocalName(headers.host);
}

/** Then a local proxy may forward requests without such a header. */
const isPublicServer = (publicUrl: string | undefined) =>
  publicUrl !== undefined && !loopbackHost.test(new URL(publicUrl).hostname);

/** With a METRICS_TOKEN: requests that send it. Without: local requests only, and 404 for others. */
export function guardMetrics(
  request: FastifyRequest,
  { metricsToken: token, publicUrl }: Pick<Config, 'metricsToken' | 'publicUrl'>,
): void {
  if (token === undefined) {
    if (isPublicServer(publicUrl) || !isLocalRequest(request)) throw notFound();
    return;
  }
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined || !isSameText(given, token)) {
    throw new AppError('UNAUTHENTICATED', 'Send the METRICS_TOKEN of this server as a bearer token');
  }
}
