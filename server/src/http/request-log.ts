import type { FastifyInstance } from 'fastify';

/** Asked every few seconds by programs that watch; such lines would bury the others. */
const routine = new Set(['/health', '/health/live', '/health/ready', '/s3/health', '/metrics']);

/** One line a request. The path without its query, which may hold a signature; never a header or a body. */
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
