import type { FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import { isSameText } from '../crypto/tokens.ts';
import { AppError, nothingThere } from './errors.ts';

const loopback = /^(::ffff:)?127\.|^::1$/;
/** Headers by which a proxy on this machine says that it asks for somebody else. */
const passedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return loopback.test(socket.remoteAddress ?? '') && !passedOn.some((name) => name in headers);
}

const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Then a proxy on this machine may ask for anybody without saying so. */
const isForOthers = (publicUrl: string | undefined) =>
  publicUrl !== undefined && !loopbackHost.test(new URL(publicUrl).hostname);

/** With a token: for whoever knows it. Without: for this machine alone, and not there for others. */
export function guardMetrics(
  request: FastifyRequest,
  { metricsToken: token, publicUrl }: Pick<Config, 'metricsToken' | 'publicUrl'>,
): void {
  if (token === undefined) {
    if (isForOthers(publicUrl) || !isFromThisMachine(request)) throw nothingThere();
    return;
  }
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined || !isSameText(given, token)) {
    throw new AppError('UNAUTHENTICATED', 'Send the METRICS_TOKEN of this server as a bearer token');
  }
}
