import { apiDocument, type Operation, operationsOf } from './api.ts';
import type { Answer, Client } from './client.ts';
import type { TestApp } from './test-app.ts';

/** The calls that need no session; every other call that the server knows does. */
const openCalls = new Set([
  'GET /health',
  'GET /health/live',
  'GET /health/ready',
  'GET /s3/health',
  'GET /metrics',
  'POST /api/auth/login',
  'POST /api/auth/register',
  'POST /api/auth/mfa/verify-login',
  'POST /api/auth/passkeys/sign-in/start',
  'POST /api/auth/passkeys/sign-in/finish',
  'GET /api/auth/setup',
  'GET /api/auth/oidc/start',
  'GET /api/auth/oidc/callback',
  'POST /api/auth/oidc/finish',
  'GET /api/documents/{id}/content',
  'GET /api/documents/{id}/content/details',
  'GET /api/documents/{id}/content/hits',
  'GET /api/documents/{id}/content/text',
  'GET /api/documents/{id}/thumbnail',
]);

/** Every call that needs a session, as the server itself describes them. */
export const protectedCalls = (app: TestApp): Operation[] =>
  operationsOf(apiDocument(app)).filter(({ name }) => !openCalls.has(name));

export const nameOf = ({ name }: Operation) => name;

/** Sends no body: a caller without access must be refused before it is read. */
export function makeCall(client: Client, { method, path }: Operation): Promise<Answer> {
  return client.send(path.replaceAll('{id}', '1'), { method });
}
