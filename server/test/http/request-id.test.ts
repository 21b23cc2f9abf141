import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { behindProxy } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

let direct: TestApp;
let proxied: TestApp;
let staff: TestUser;

beforeAll(async () => {
  direct = await startTestApp();
  proxied = await startTestApp({ env: behindProxy });
  staff = await makeUser(proxied, 'staff');
});

const lineOf = (app: TestApp, id: string) =>
  vi.waitFor(() => {
    const line = app
      .logs()
      .split('\n')
      .find((text) => text.includes(id));
    expect(line).toBeDefined();
    return JSON.parse(line ?? '');
  }, 10_000);

describe('The request id', () => {
  it('is in every response, error and log line', async () => {
    for (const [path, status] of [
      ['/api/auth/setup', 200],
      ['/api/customers', 401],
      ['/api/nowhere', 404],
      ['/', 200],
      ['/assets/app-1a2b3c.js', 200],
      ['/health/live', 200],
      ['/metrics', 200],
      ['/api/documents/1/content', 400],
    ] as const) {
      const answer = await direct.client().get(path);
      expect(answer.status, path).toBe(status);
      const id = answer.headers.get('x-request-id') ?? '';
      expect(id, path).toMatch(uuid);
      if (status >= 400) expect(answer.body.request_id).toBe(id);
      expect(await lineOf(direct, id)).toMatchObject({ request_id: id, path, status });
    }
  });

  it('of a trusted proxy is kept, so that requests can be traced', async () => {
    for (const given of ['a', 'Trace-1.2_3', 'x'.repeat(64)]) {
      const answer = await proxied.client().get('/api/nowhere', { 'x-request-id': given });
      expect(answer.headers.get('x-request-id')).toBe(given);
      expect(answer.body.request_id).toBe(given);
    }
    expect(await lineOf(proxied, '"Trace-1.2_3"')).toMatchObject({ request_id: 'Trace-1.2_3' });
  });

  it('is the same in the activity log', async () => {
    await staff.client.post('/api/customers', {}, { 'x-request-id': 'chain-42' });
    const { rows } = await proxied.pool.query("select action from activity where request_id = 'chain-42'");
    expect(rows).toEqual([{ action: 'access.denied' }]);
  });

  it('that could do harm is ignored, even from a trusted proxy', async () => {
    for (const given of ['', 'x'.repeat(65), 'a b', 'a"b', '<b>', 'a,b', 'ä', '../x', '{}', 'a;b']) {
      const answer = await sendRaw(proxied.url, {
        target: '/api/nowhere',
        headers: { 'x-request-id': given },
      });
      expect(answer.headers.get('x-request-id'), given).toMatch(uuid);
    }
    // Node joins repeated headers with a comma.
    const twice = await sendRaw(proxied.url, {
      target: '/api/nowhere',
      headers: { 'x-request-id': 'one', 'X-Request-Id': 'two' },
    });
    expect(twice.headers.get('x-request-id')).toMatch(uuid);
  });

  it('of any other client is ignored, even a harmless one', async () => {
    const answer = await direct.client().get('/api/nowhere', { 'x-request-id': 'harmless' });
    expect(answer.headers.get('x-request-id')).toMatch(uuid);
    expect(direct.logs()).not.toContain('harmless');
    const elsewhere = await startTestApp({ env: { TRUST_PROXY: '10.0.0.0/8, fd00::/8' } });
    const other = await elsewhere.client().get('/api/nowhere', { 'x-request-id': 'harmless' });
    expect(other.headers.get('x-request-id')).toMatch(uuid);
    const network = await startTestApp({ env: { TRUST_PROXY: '127.0.0.0/8' } });
    const known = await network.client().get('/api/nowhere', { 'x-request-id': 'harmless' });
    expect(known.headers.get('x-request-id')).toBe('harmless');
  });

  it('is readable for scripts of allowed origins', async () => {
    const origin = 'https://app.example.com';
    const open = await startTestApp({ env: { CORS_ORIGINS: origin } });
    const answer = await open.client().get('/health', { origin });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/);
  });
});
