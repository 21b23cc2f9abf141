import type { Answer } from '@customer-database/testkit/client';
import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { login, mfaToken } from '@customer-database/testkit/sign-in';
import type { TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import Fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { beforeAll, describe, expect, it } from 'vitest';
import { guardRoutes } from '../../src/http/access.ts';
import { calls, pages } from './calls/all.ts';
import type { Access } from './calls/call.ts';
import { startWithRoutes } from './routes.ts';

const listed: [string, Access][] = [
  ...Object.entries(calls).map(([name, { access }]): [string, Access] => [name, access]),
  ...pages.map((route): [string, Access] => [route, 'public']),
];
const alsoHead = listed
  .filter(([route]) => route.startsWith('GET '))
  .map(([route, access]): [string, Access] => [route.replace('GET ', 'HEAD '), access]);
const everyRoute = [...listed, ...alsoHead];

const noSession = ['anonymous', 'pre-MFA', 'disabled', 'signed out', 'made up'] as const;
type Caller = (typeof noSession)[number] | 'must change password' | 'staff' | 'admin';

let app: TestApp;
let routes: string[];
const users: Partial<Record<Caller, TestUser>> = {};
const tokens: Partial<Record<Caller, string>> = {};

async function makeCallers(): Promise<void> {
  for (const caller of ['pre-MFA', 'disabled', 'signed out', 'must change password', 'admin'] as const) {
    users[caller] = await makeUser(app, 'admin');
  }
  users.staff = await makeUser(app, 'staff');
  for (const [caller, user] of Object.entries(users)) tokens[caller as Caller] = user.token;
  const unproven = await makeUser(app, 'admin');
  await enableMfa(app, unproven);
  tokens['pre-MFA'] = await mfaToken(app, unproven.email);
  tokens['made up'] = 'x'.repeat(43);
  await users['signed out']?.client.post('/api/auth/logout');
  // By SQL, because the command also ends sessions: being disabled must be enough by itself.
  const set = (column: string, caller: Caller) =>
    app.pool.query(`update users set ${column} where id = $1`, [users[caller]?.id]);
  await set('disabled_at = now()', 'disabled');
  await set('must_change_password = true', 'must change password');
}

beforeAll(async () => {
  ({ app, routes } = await startWithRoutes());
  await makeCallers();
});

/** A URL that matches the route, with an unused id and an invalid signature. */
function addressOf(url: string): string {
  const path = url
    .replace('{id}', '999999999')
    .replace('static/*', 'static/logo.svg')
    .replace('/*', '/login');
  const link = 'user=1&expires=9999999999&signature=AAAA';
  if (path.includes('/content')) return `${path}?purpose=view&${link}`;
  if (path.endsWith('/thumbnail')) return `${path}?${link}`;
  return path === '*' ? '/api/customers' : path;
}

/** For the call that ends its own session. */
async function spareToken(caller: Caller): Promise<string | undefined> {
  const user = users[caller];
  if (!user || refusalOf(caller, 'before password change')) return tokens[caller];
  return (await login(app, user.email)).body.token;
}

async function call(caller: Caller, route: string): Promise<Answer> {
  const [method = '', url = ''] = route.split(' ');
  const token = route === 'POST /api/auth/logout' ? await spareToken(caller) : tokens[caller];
  return app.client(token).send(addressOf(url), { method });
}

/** The expected status and code of a refusal, or undefined for access. */
function refusalOf(caller: Caller, access: Access): [number, string] | undefined {
  if (access === 'public' || access === 'metrics') return undefined;
  if (access === 'link') return [403, 'LINK_INVALID'];
  if (noSession.some((name) => name === caller)) return [401, 'UNAUTHENTICATED'];
  if (caller === 'must change password')
    return access === 'before password change' ? undefined : [403, 'PASSWORD_CHANGE_REQUIRED'];
  return caller === 'staff' && access === 'admin' ? [403, 'FORBIDDEN'] : undefined;
}

async function expectAccess(caller: Caller, route: string, access: Access): Promise<void> {
  const refusal = refusalOf(caller, access);
  const isRecorded = refusal?.[0] === 403 && access !== 'link';
  // Otherwise the denials of a minute would share one row.
  if (isRecorded) await app.pool.query('delete from counted_refusals');
  const answer = await call(caller, route);
  const who = `${caller}: ${route}`;
  if (!refusal) {
    expect([401, 403], who).not.toContain(answer.status);
    expect(answer.status, who).toBeLessThan(500);
    return;
  }
  const [status, code] = refusal;
  expect(answer.status, who).toBe(status);
  if (!route.startsWith('HEAD ')) expect(answer.body, who).toMatchObject({ code, error: expect.any(String) });
  if (isRecorded) await expectDenialRow(caller, route, answer);
}

async function expectDenialRow(caller: Caller, route: string, answer: Answer): Promise<void> {
  const { rows } = await app.pool.query(
    'select action, actor_id, subject_label, address from activity where request_id = $1',
    [answer.headers.get('x-request-id')],
  );
  const actor_id = users[caller]?.id;
  const subject_label = route.replace('{id}', ':id');
  expect(rows).toEqual([{ action: 'access.denied', actor_id, subject_label, address: '127.0.0.1' }]);
}

describe('access', () => {
  it('is listed for every route, and for no other', () => {
    expect(new Set(routes)).toEqual(new Set(everyRoute.map(([route]) => route)));
  });

  it.each(everyRoute)('%s is open to: %s', async (route, access) => {
    for (const caller of [...noSession, 'must change password', 'staff', 'admin'] as const) {
      await expectAccess(caller, route, access);
    }
  });

  it('takes a token only as a bearer token, never from the URL or a cookie', async () => {
    const token = tokens.admin;
    const client = app.client();
    for (const authorization of [`Basic ${token}`, `Bearer  ${token}`, `${token}`, `Bearer ${token} x`]) {
      const answer = await client.get('/api/customers', { authorization });
      expect(answer.body, authorization).toMatchObject({ code: 'UNAUTHENTICATED', error: 'Please sign in' });
    }
    expect((await client.get(`/api/customers?token=${token}`)).status).toBe(401);
    expect((await client.get(`/api/customers?access_token=${token}`)).status).toBe(401);
    expect((await client.get('/api/customers', { cookie: `token=${token}` })).status).toBe(401);
    expect((await client.get('/api/customers', { authorization: `bearer ${token}` })).status).toBe(200);
  });
});

describe('a route that declares no access rule', () => {
  const bare = () => {
    const instance = Fastify();
    instance.setSerializerCompiler(serializerCompiler);
    guardRoutes(instance, {
      guardMetrics: () => undefined,
      authenticate: async () => undefined,
      onTokenUsed: async () => undefined,
      needsSecondFactor: () => false,
      onDenied: async () => undefined,
    });
    return instance;
  };

  it('prevents the start', async () => {
    const instance = bare();
    expect(() => instance.get('/api/forgotten', async () => 'secret')).toThrow(
      'GET /api/forgotten does not declare who may call it',
    );
    await instance.close();
  });

  it('prevents the start from within a plugin as well', async () => {
    const instance = bare();
    instance.register(async (scope) => {
      scope.post('/api/forgotten', async () => 'secret');
    });
    await expect(instance.ready()).rejects.toThrow('POST /api/forgotten does not declare who may call it');
    await instance.close();
  });

  it('starts once it declares one', async () => {
    const instance = bare();
    instance.get('/open', { config: { access: 'public' } }, async () => 'hello');
    instance.get('/closed', { config: { access: 'customers.read' } }, async () => 'secret');
    expect((await instance.inject('/open')).body).toBe('hello');
    expect((await instance.inject('/closed')).body).not.toContain('secret');
    await instance.close();
  });
});
