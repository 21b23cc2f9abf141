import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { startTestApp, type TestApp } from './test-app.ts';

/**
 * The server together with every route it has, as 'GET /api/customers'. The description of the API
 * leaves hidden routes out and the router cannot be asked, so the routes are noted as they are
 * added: Fastify announces an instance before anything is registered on it. The root of a prefix
 * has a twin with a slash at the end, which is the same route. With an origin to be open to: that has a
 * route of its own.
 */
export async function startWithRoutes(): Promise<{ app: TestApp; routes: string[] }> {
  const routes: string[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) routes.push(`${name} ${url.replace(/(.)\/$/, '$1')}`);
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return { app: await startTestApp({ env: { CORS_ORIGINS: 'https://app.example.com' } }), routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
