import type { Answer, Client } from '@customer-database/testkit/client';
import type { Call } from './call.ts';
import { customerCalls } from './customers.ts';
import { documentCalls } from './documents.ts';
import { factorCalls } from './factors.ts';
import { otherCalls } from './others.ts';
import { ownAccountCalls } from './own-account.ts';
import { signInCalls } from './sign-in.ts';
import { userCalls } from './users.ts';

/**
 * Every call of the API, by hand: what the server itself declares is compared with this, and a call that is missing
 * fails. A GET also answers HEAD, with the same access.
 */
export const calls: Record<string, Call> = {
  ...signInCalls,
  ...ownAccountCalls,
  ...factorCalls,
  ...userCalls,
  ...customerCalls,
  ...documentCalls,
  ...otherCalls,
};

/** Public: the pages, and the redirects of the company sign-in. No program calls them. */
export const pages = [
  'OPTIONS *',
  'GET /*',
  'GET /api/docs',
  'GET /api/docs/json',
  'GET /api/docs/yaml',
  'GET /api/docs/static/*',
  'GET /api/docs/static/index.html',
  'GET /api/docs/static/swagger-initializer.js',
  'GET /api/auth/oidc/start',
  'GET /api/auth/oidc/callback',
];

export const sessionCalls = Object.entries(calls).filter(([, { token }]) => token !== undefined);

/** A caller without access must be refused before a body is read. */
export function sendWithoutBody(client: Client, name: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ');
  return client.send(path.replace('{id}', '1'), { method });
}
