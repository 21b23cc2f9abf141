import type { FastifyInstance } from 'fastify';

/** Polled every few seconds by monitoring, which would flood the log. */
const routine = new Set(['/health', '/health/live', '/health/ready', '/s3/health', '/metrics']);

/** One line per request. No query, which may hold a signature, no header and no body. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      user_id: request.signedIn?.user.id,
      address: request.ip,
    };
    if (routine.has(request.routeOptions.url ?? '')) request.log.debug(line);
    else request.log.info(line, 'request');
    done();
  });
}
