import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import type { FastifyInstance } from 'fastify';

const nameOf = (url: string) => url.replace(/(.)\/$/, '$1').replaceAll(/:(\w+)/g, '{$1}');

/**
 * The server together with all its routes, as 'GET /api/customers/{id}'. OpenAPI leaves hidden routes
 * out and the router cannot list them, so they are recorded as they are
 * added: Fastify announces an instance before anything is registered on it. The root of a prefix
 * also has a twin with a trailing slash, which is the same route. CORS is on, because it adds a
 * route.
 */
export async function startWithRoutes(): Promise<{ app: TestApp; routes: string[] }> {
  const routes: string[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) routes.push(`${name} ${nameOf(url)}`);
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return { app: await startTestApp({ env: { CORS_ORIGINS: 'https://app.example.com' } }), routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
