import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** Uses the same schemas that validate requests. Register before the routes. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Customer Database',
        version: '1',
        description:
          'Sign in at POST /api/auth/login and send the token as a bearer token. Errors carry a text for ' +
          'people, a code and the id of the request.',
      },
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer' },
          metrics: { type: 'http', scheme: 'bearer', description: 'The METRICS_TOKEN of the server' },
        },
      },
      security: [{ session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

/** Swagger UI, without external files. */
export async function serveApiPage(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      route.schema = { ...route.schema, hide: true };
    });
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      uiConfig: { validatorUrl: null, layout: 'BaseLayout' },
      theme: { title: 'Customer Database API' },
    });
  });
}
