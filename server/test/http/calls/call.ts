import type { Answer, Client } from '@customer-database/testkit/client';
import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import type { TestApp } from '@customer-database/testkit/test-app';
import type { BadValue } from './bad-values.ts';

/**
 * 'public': every caller. 'link': the holder of a signed link. 'metrics': every caller on this machine, like those of
 * the tests; metrics-access.test.ts has the others.
 */
type OpenAccess = 'public' | 'link' | 'metrics';

/**
 * 'before password change': every signed-in user, also one who must first change the password or set up a second
 * factor. 'before second factor': also one who must set it up. 'signed-in': staff and admins. 'admin': admins alone.
 */
type SessionAccess = 'before password change' | 'before second factor' | 'signed-in' | 'admin';

export type Access = OpenAccess | SessionAccess;

/** Each allows what those before it allow. */
export const tokenScopes = ['read', 'write', 'admin'] as const;

/** The API token with the narrowest scope that allows the call. */
type Token = `${(typeof tokenScopes)[number]} token` | 'no token';

/** What is there before an example is prepared. Where jobs run, the document has its thumbnail. */
export type Setup = { app: TestApp; admin: TestUser; customerId: number; documentId: number };

/** What a successful call sends besides its method and URL: by default nothing, from the administrator, to the app. */
type Input = {
  by?: Pick<Client, 'send'>;
  to?: TestApp;
  id?: number;
  query?: string;
  /** Sent as JSON, except for a form. */
  body?: object;
};

type Example<What> = What | ((setup: Setup) => What | Promise<What>);

type Details<What> = {
  example?: Example<What>;
  /**
   * By default, each call but a GET changes rows, in one transaction with a row of the activity log. 'nothing yet':
   * what its confirmation will need, which is logged.
   */
  changes?: 'nothing' | 'nothing yet';
  /** All invalid values of each field of the body. */
  badFields?: Record<string, BadValue[]>;
};

/** Everything that tests know about a call; `unknownId` is the error for an id that nothing has. */
export type Call = Details<Input> & { access: Access; token?: Token; unknownId?: string };

/** What cannot be left out follows from method and URL. */
type DetailsOf<Name extends string> = Name extends `${string}{id}${string}`
  ? Details<Input & { id: number }> & { example: unknown; unknownId: string }
  : Name extends `GET ${string}`
    ? Details<Input>
    : Details<Input> & { example: unknown };

type AllDetails<Name extends string> = { [Each in Name]: DetailsOf<Each> };

const withRights = (rights: Pick<Call, 'access' | 'token'>, calls: Record<string, Details<Input>>) =>
  Object.fromEntries(
    Object.entries(calls).map(([name, details]): [string, Call] => [name, { ...rights, ...details }]),
  );

export const openCalls = <Name extends string>(access: OpenAccess, calls: AllDetails<Name>) =>
  withRights({ access }, calls);

export const callsOf = <Name extends string>(access: SessionAccess, token: Token, calls: AllDetails<Name>) =>
  withRights({ access, token }, calls);

export type PreparedExample = { app: TestApp; body: object | undefined; send(): Promise<Answer> };

/** Makes what the example needs, and leaves the call itself to the test. */
export async function prepareExample(name: string, call: Call, setup: Setup): Promise<PreparedExample> {
  const [method = '', path = ''] = name.split(' ');
  const { example = {} } = call;
  const input = typeof example === 'function' ? await example(setup) : example;
  const { by = setup.admin.client, to = setup.app, id, query = '', body } = input;
  const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const init = { method, ...(body instanceof FormData ? { body } : json) };
  return { app: to, body, send: () => by.send(path.replace('{id}', String(id)) + query, init) };
}

/** For what would disturb other examples if the administrator of the setup did it. */
export const byNewStaff = async ({ app }: Setup) => ({ by: (await makeUser(app, 'staff')).client });
