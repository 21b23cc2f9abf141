import { makeUser } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it, vi } from 'vitest';

const token = 'b7c2-a-token-of-a-monitoring-system';

describe('GET /metrics is answered', () => {
  it('without a token, to callers on this machine, unless a proxy forwards the request', async () => {
    const app = await startTestApp();
    const admin = await makeUser(app, 'admin');
    expect((await app.client().get('/metrics')).status).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      const answer = await app.client(admin.token).get('/metrics', { [header]: '127.0.0.1' });
      expectProblem(answer, 404, 'NOT_FOUND');
      expect(answer.body.error).toBe('There is nothing at this address');
    }
    const behindProxy = await startTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    expect((await behindProxy.client().get('/metrics')).status).toBe(200);
    expect((await behindProxy.client().get('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404);
  });

  it('without a token, only at a host name of this machine: another one may be that of a web page', async () => {
    const app = await startTestApp();
    const statusFor = async (host: string) =>
      (await sendRaw(app.url, { target: '/metrics', headers: { host } })).status;
    for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.0.0.1', '[::1]:3000', '[::1]'])
      expect(await statusFor(host), host).toBe(200);
    for (const host of ['evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '[::2]', ''])
      expect(await statusFor(host), host).toBe(404);
    const open = await startTestApp({ env: { METRICS_TOKEN: token } });
    const headers = { host: 'customers.example.com', authorization: `Bearer ${token}` };
    expect((await sendRaw(open.url, { target: '/metrics', headers })).status).toBe(200);
  });

  it('without a token, to no caller of a public server: its proxy may send no forwarding headers', async () => {
    for (const [PUBLIC_URL, status] of [
      ['https://customers.example.com', 404],
      ['http://localhost.example.com', 404],
      ['http://localhost:3000', 200],
      ['http://[::1]:3000', 200],
    ] as const) {
      const app = await startTestApp({ env: { PUBLIC_URL } });
      expect((await app.client().get('/metrics')).status, PUBLIC_URL).toBe(status);
      await app.close();
    }
    const app = await startTestApp({ env: { PUBLIC_URL: 'https://a.example.com', METRICS_TOKEN: token } });
    expect((await app.client().get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('with a token, to every caller who sends it, and to no other', async () => {
    const closed = await startTestApp({ env: { METRICS_TOKEN: token } });
    const read = (authorization?: string, more: Record<string, string> = {}) =>
      closed.client().get('/metrics', { ...(authorization && { authorization }), ...more });
    expect((await read(`Bearer ${token}`)).status).toBe(200);
    expect((await read(`bearer ${token}`, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    const insider = await makeUser(closed, 'admin');
    for (const wrong of [
      undefined,
      token,
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      'Bearer ',
      `Bearer ${insider.token}`,
    ]) {
      const answer = await read(wrong);
      expectProblem(answer, 401, 'UNAUTHENTICATED');
      expect(JSON.stringify(answer.body)).not.toContain('customer_database_');
    }
    expect((await closed.client().get(`/metrics?token=${token}`)).status).toBe(401);
    await vi.waitFor(() => expect(closed.logs()).toContain('"path":"/metrics"'), 10_000);
    expect(closed.logs()).not.toContain(token);
  });
});
