import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

type Observe = (seconds: number) => void;

/** By the pattern of the route, never by the address: that has no end of values, and people's data in it. */
export function measureRequests(app: FastifyInstance, { requestSeconds, watch }: Metrics): void {
  let inProgress = 0;
  watch('http_requests_in_progress', 'Requests whose answer has not ended', () => inProgress);

  // Looked up here, which is quicker than having the library put its labels together every time.
  const known = new Map<string, Observe>();
  function observerOf(method: string, route: string, status: string): Observe {
    const key = `${method} ${route} ${status}`;
    let observe = known.get(key);
    if (!observe) {
      observe = requestSeconds.labels({ method, route, status }).observe;
      known.set(key, observe);
    }
    return observe;
  }

  app.addHook('onRequest', (request, reply, done) => {
    inProgress += 1;
    // Not at 'onResponse', which never comes when the caller has gone.
    reply.raw.once('close', () => {
      inProgress -= 1;
      const { url } = request.routeOptions;
      const status = reply.raw.writableFinished ? `${Math.floor(reply.raw.statusCode / 100)}xx` : 'aborted';
      // What has no route may have any method.
      observerOf(url ? request.method : 'any', url ?? 'none', status)(reply.elapsedTime / 1000);
    });
    done();
  });
}
