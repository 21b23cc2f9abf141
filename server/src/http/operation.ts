import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import type { ErrorCode } from '@customer-database/contract/errors';
import type { SwaggerTransform } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Access, needsSession, takesTokens } from './access.ts';
import { statusOf } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The errors that do not follow from the access and the input of the route. */
    errors?: ErrorCode[];
    /** Describes the body of a route that takes a form. */
    form?: z.ZodType;
    /** Takes nothing but the form: generated clients send JSON wherever they may. */
    isFormOnly?: true | undefined;
  }
}

/** The schema of a response that is a file. */
export const fileBody = z.custom<Readable>().meta({ type: 'string', format: 'binary' });

function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'metrics') return [{ metrics: [] }, {}];
  if (!needsSession(access)) return [];
  return takesTokens(access) ? [{ session: [] }, { token: [] }] : [{ session: [] }];
}

const isOpen = (access: Access, state: 'beforePasswordChange' | 'beforeSecondFactor') =>
  typeof access === 'object' && access[state] === true;

/** A route declares the other ones. */
function derivedErrors(access: Access, { params, querystring, body }: FastifySchema): ErrorCode[] {
  const rules: [applies: unknown, codes: ErrorCode[]][] = [
    [params || querystring || body, ['VALIDATION_FAILED']],
    [params, ['NOT_FOUND']],
    [body, ['REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']],
    [needsSession(access), ['UNAUTHENTICATED', 'FORBIDDEN']],
    [needsSession(access) && !isOpen(access, 'beforePasswordChange'), ['PASSWORD_CHANGE_REQUIRED']],
    [needsSession(access) && !isOpen(access, 'beforeSecondFactor'), ['MFA_SETUP_REQUIRED']],
    [access === 'link', ['LINK_INVALID']],
    [access === 'metrics', ['UNAUTHENTICATED', 'NOT_FOUND']],
    // Any request can be broken HTTP, or meet a server that stops.
    [true, ['MALFORMED_REQUEST', 'INTERNAL_ERROR', 'BUSY', 'DATABASE_UNAVAILABLE']],
  ];
  return rules.flatMap(([applies, codes]) => (applies ? codes : []));
}

const retryAfter = { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } };
const json = (schema: unknown) => ({ 'application/json': { schema } });

function errorResponses(codes: ErrorCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy(new Set(codes), (code) => statusOf[code]);
  const describe = (status: number, sameStatus: ErrorCode[]) => ({
    description: sameStatus.join(', '),
    ...((status === 429 || status === 503) && { headers: retryAfter }),
    content: json({ $ref: '#/components/schemas/Error' }),
  });
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, describe(status, same)]));
}

/** Without the ranges such as 4xx, which serve to send errors: each error is described by itself. */
function ownResponses(response: unknown): Record<string, unknown> {
  const own = Object.entries(response ?? {}).filter(([status]) => Number(status));
  const describe = (status: string, answer: object) => ({
    description: STATUS_CODES[status],
    ...('content' in answer ? answer : { content: json(answer) }),
  });
  return Object.fromEntries(own.map(([status, answer]) => [status, describe(status, answer)]));
}

function bodyOf(body: unknown, { form, isFormOnly }: FastifyContextConfig): unknown {
  if (!form) return body;
  const schema = z.toJSONSchema(form, { io: 'input' });
  return { content: { ...(!isFormOnly && json(body)), 'multipart/form-data': { schema } } };
}

/** Adds to the schemas of a route what follows from them, its access and its errors. */
export const describeOperation: SwaggerTransform = (input) => {
  const { schema, url } = jsonSchemaTransform(input);
  const config = input.route.config ?? {};
  const { access, errors = [] } = config;
  if (schema.hide || access === undefined) return { schema, url };
  const codes = [...derivedErrors(access, schema), ...errors];
  return {
    url,
    schema: {
      ...schema,
      security: securityOf(access),
      ...(schema.body !== undefined && { body: bodyOf(schema.body, config) }),
      response: { ...errorResponses(codes), ...ownResponses(schema.response) },
    },
  };
};
