import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

type Observe = (seconds: number) => void;

/** Labels by route pattern, never by URL, which has unlimited values and may hold personal data. */
export function measureRequests(app: FastifyInstance, { requestSeconds, watch }: Metrics): void {
  let inProgress = 0;
  watch('http_requests_in_progress', 'Requests whose answer has not ended', () => inProgress);

  // A cache: faster than letting the library assemble the labels every time.
  const observers = new Map<string, Observe>();
  function observerOf(method: string, route: string, status: string): Observe {
    const key = `${method} ${route} ${status}`;
    let observe = observers.get(key);
    if (!observe) {
      observe = requestSeconds.labels({ method, route, status }).observe;
      observers.set(key, observe);
    }
    return observe;
  }

  app.addHook('onRequest', (request, reply, done) => {
    inProgress += 1;
    // Not in 'onResponse', which never runs if the client has gone.
    reply.raw.once('close', () => {
      inProgress -= 1;
      const { url } = request.routeOptions;
      const status = reply.raw.writableFinished ? `${Math.floor(reply.raw.statusCode / 100)}xx` : 'aborted';
      // Without a route the method could be anything.
      observerOf(url ? request.method : 'any', url ?? 'none', status)(reply.elapsedTime / 1000);
    });
    done();
  });
}
