import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Config } from '../core/config.ts';
import { describeOperation } from './operation.ts';

const tags = [
  { name: 'Sign-in', description: 'Sessions: sign in, with or without MFA, and out' },
  { name: 'Account', description: 'Your own profile, password and MFA' },
  { name: 'Users', description: 'Colleagues who may sign in' },
  { name: 'Search', description: 'One question for customers, documents and the text of documents' },
  { name: 'Customers', description: 'Customer records' },
  { name: 'Documents', description: 'Files of customers: upload, read, find, change and delete' },
  { name: 'Activity', description: 'Who did what, when and from where' },
  { name: 'Dashboard', description: 'Figures and recent activity' },
  { name: 'Health', description: 'For monitoring and load balancers' },
];

const mayBeNull = (schema: unknown) =>
  (schema as OpenAPIV3_1.SchemaObject).anyOf?.some((option) => 'type' in option && option.type === 'null');

/** Swagger calls every body required, also one that may be left out. */
function releaseOptionalBodies({ paths = {} }: Partial<OpenAPIV3_1.Document>): void {
  for (const { post } of Object.values(paths).filter((item) => item !== undefined)) {
    const body = post?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
    if (mayBeNull(body?.content['application/json']?.schema ?? {})) delete body?.required;
  }
}

const describeAll: SwaggerTransformObject = (input) => {
  const document = jsonSchemaTransformObject(input) as Partial<OpenAPIV3_1.Document>;
  releaseOptionalBodies(document);
  // The library adds each named schema as input, too. No call takes one of them.
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(
    ([name]) => !name.endsWith('Input'),
  );
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
};

/** Uses the same schemas that validate requests. Register before the routes. */
export async function describeApi(app: FastifyInstance, { publicUrl }: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Customer Database',
        version: '1',
        description:
          'Sign in at POST /api/auth/login, or make an API token on your profile, and send the token as a bearer ' +
          'token. Errors carry a text for ' +
          'people, a code and the id of the request.',
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags,
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer' },
          token: { type: 'http', scheme: 'bearer', description: 'An API token, made on the profile' },
          metrics: { type: 'http', scheme: 'bearer', description: 'The METRICS_TOKEN of the server' },
        },
      },
    },
    stripBasePath: false,
    transform: describeOperation,
    transformObject: describeAll,
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
