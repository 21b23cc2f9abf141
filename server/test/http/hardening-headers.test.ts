import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { sendBytes, sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let fileUrl: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  const customer = await makeCustomer(admin.client);
  const document = await makeDocument(admin.client, customer.id);
  fileUrl = (await admin.client.get(`/api/documents/${document.id}/view`)).body.view_url;
});

/** The sources that a policy allows for a directive, with the fallback to default-src. */
function allowed(policy: string, directive: string): string[] {
  const rules = new Map(
    policy.split(';').map((rule) => {
      const [name = '', ...sources] = rule.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
  const fallsBack = directive.endsWith('-src');
  return rules.get(directive) ?? (fallsBack ? rules.get('default-src') : undefined) ?? ['anything'];
}

function expectSafeHeaders(headers: Headers, cacheControl = 'no-store'): void {
  const policy = headers.get('content-security-policy') ?? '';
  for (const source of allowed(policy, 'script-src')) expect(["'self'", "'none'"], policy).toContain(source);
  for (const directive of ['object-src', 'base-uri', 'frame-ancestors', 'frame-src', 'worker-src']) {
    expect(allowed(policy, directive), `${directive} of ${policy}`).toEqual(["'none'"]);
  }
  for (const source of [...allowed(policy, 'connect-src'), ...allowed(policy, 'form-action')]) {
    expect(["'self'", "'none'", 'anything'], policy).toContain(source);
  }
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe(cacheControl);
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.get('strict-transport-security')).toBeNull();
  for (const chatty of ['server', 'x-powered-by', 'access-control-allow-origin']) {
    expect(headers.get(chatty)).toBeNull();
  }
}

type Headed = { status: number; headers: Headers };

describe('every kind of response has the security headers:', () => {
  it.each<[string, number, () => Promise<Headed>]>([
    ['a success', 200, () => admin.client.get('/api/customers')],
    ['a creation', 201, () => admin.client.post('/api/auth/invite', { email: 'new@example.com' })],
    ['a HEAD', 200, () => admin.client.send('/api/customers', { method: 'HEAD' })],
    ['bad input', 400, () => admin.client.post('/api/customers', {})],
    ['no session', 401, () => app.client().get('/api/customers')],
    ['no permission', 403, () => staff.client.post('/api/customers', {})],
    ['nothing there', 404, () => app.client().get('/api/nowhere')],
    ['another method', 404, () => admin.client.send('/api/customers', { method: 'PATCH' })],
    ['a wrong type', 415, () => admin.client.post('/api/customers', {}, { 'content-type': 'text/plain' })],
    ['a file', 200, () => app.client().get(fileUrl)],
    ['a part of a file', 206, () => app.client().get(fileUrl, { range: 'bytes=0-3' })],
    ['a part that a file does not have', 416, () => app.client().get(fileUrl, { range: 'bytes=99999999-' })],
    ['no such file', 404, () => app.client().get('/assets/nowhere.js')],
    ['the page of the API', 200, () => app.client().get('/api/docs')],
    ['the description of the API', 200, () => app.client().get('/api/docs/json')],
    ['health', 200, () => app.client().get('/health')],
    ['health of the storage', 200, () => app.client().get('/s3/health')],
    ['a bad address', 400, () => sendRaw(app.url, { target: '/%zz' })],
    ['no HTTP at all', 400, () => sendBytes(app.url, 'hello\r\n\r\n')],
    ['headers without end', 431, () => sendRaw(app.url, { target: '/', headers: { x: 'y'.repeat(20_000) } })],
  ])('%s (%d)', async (_, status, request) => {
    const answer = await request();
    expect(answer.status).toBe(status);
    expectSafeHeaders(answer.headers);
  });

  it.each([
    ['/', 200, 'no-cache'],
    ['/customers/1', 200, 'no-cache'],
    ['/theme.js', 200, 'no-cache'],
    ['/assets/app-1a2b3c.js', 200, 'public, max-age=31536000, immutable'],
  ])('the page or file at %s (%d)', async (path, status, cacheControl) => {
    const answer = await app.client().get(path);
    expect(answer.status).toBe(status);
    expectSafeHeaders(answer.headers, cacheControl);
  });

  it('an internal error (500), which also leaks nothing', async () => {
    const own = await startTestApp();
    const user = await makeUser(own, 'admin');
    await makeCustomer(user.client);
    await own.pool.query('alter table customers rename column city to town');
    for (const answer of [
      await user.client.get('/api/customers'),
      await user.client.post('/api/customers/search', { city: 'Berlin' }),
    ]) {
      expectProblem(answer, 500, 'INTERNAL_ERROR');
      expect(answer.body.error).toBe('Something went wrong on our side. Please try again.');
      expect(Object.keys(answer.body).sort()).toEqual(['code', 'error', 'request_id']);
      expect(JSON.stringify([answer.body, [...answer.headers]])).not.toMatch(
        /city|town|column|42703|pg_|\.ts/,
      );
      expectSafeHeaders(answer.headers);
      const line = own
        .logs()
        .split('\n')
        .find((text) => text.includes('"request failed"') && text.includes(answer.body.request_id));
      expect(line, 'the log tells what the answer does not').toContain('city');
    }
    await own.pool.query('alter table customers rename column town to city');
    expect((await user.client.get('/api/customers')).status).toBe(200);
  });
});

describe('HSTS', () => {
  it('is sent where the public URL uses TLS, and nowhere else', async () => {
    const secure = await startTestApp({ env: { PUBLIC_URL: 'https://customers.example.com' } });
    for (const path of ['/', '/api/customers', '/api/nowhere']) {
      const value = (await secure.client().get(path)).headers.get('strict-transport-security');
      expect(Number(/max-age=(\d+)/.exec(value ?? '')?.[1]), path).toBeGreaterThanOrEqual(31_536_000);
    }
    const plain = await startTestApp({ env: { PUBLIC_URL: 'http://customers.example.com' } });
    expect((await plain.client().get('/')).headers.get('strict-transport-security')).toBeNull();
  });
});

describe('CORS', () => {
  const listed = 'https://app.example.com';
  const strangers = [
    'https://evil.example',
    'http://app.example.com',
    `${listed}.evil.example`,
    `${listed}:8443`,
    'null',
    'https://APP.example.com',
  ];
  const preflight = (server: TestApp, origin: string) =>
    server.client().send('/api/customers', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    });

  it('opens the API to the listed origins and to no other', async () => {
    const open = await startTestApp({ env: { CORS_ORIGINS: `${listed}, https://other.example.com` } });
    for (const origin of [listed, 'https://other.example.com']) {
      const answer = await open.client().get('/health', { origin });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('vary')).toMatch(/origin/i);
      const asked = await preflight(open, origin);
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
      expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, DELETE');
      expect(asked.headers.get('access-control-allow-headers')).toBe(
        'authorization, content-type, x-internal-access',
      );
      // Scripts send a token, so cookies are never needed.
      expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const origin of strangers) {
      for (const answer of [await open.client().get('/health', { origin }), await preflight(open, origin)]) {
        expect(answer.headers.get('access-control-allow-origin'), origin).toBeNull();
      }
    }
  });

  it('opens nothing by default, and a preflight grants no access', async () => {
    for (const origin of [listed, ...strangers]) {
      expect(
        (await app.client().get('/health', { origin })).headers.get('access-control-allow-origin'),
      ).toBeNull();
      const asked = await preflight(app, origin);
      expect(asked.headers.get('access-control-allow-origin')).toBeNull();
      expect(asked.headers.get('access-control-allow-methods')).toBeNull();
    }
  });
});
