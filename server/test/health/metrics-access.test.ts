import { createBreakableDatabase } from '@customer-database/testkit/breakable-database';
import { makeUser } from '@customer-database/testkit/factories';
import { readMetrics } from '@customer-database/testkit/metrics';
import { expectProblem } from '@customer-database/testkit/problems';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it, vi } from 'vitest';

const token = 'b7c2-a-token-for-those-who-watch';

describe('Several servers in one process', () => {
  it('have separate counters', async () => {
    const one = await startTestApp();
    const other = await startTestApp();
    await one.client().get('/api/auth/setup');
    const label = { method: 'GET', route: '/api/auth/setup', status: '2xx' };
    const count = 'http_request_duration_seconds_count';
    expect((await readMetrics(one)).get(count, label)).toBe(1);
    expect((await readMetrics(other)).get(count, label)).toBeUndefined();
  });
});

describe('Who may read /metrics', () => {
  it("without a token: callers on this machine, unless a proxy asks on somebody's behalf", async () => {
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

  it('without a token: only by a name of this machine, as any other name may be of a web page', async () => {
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

  it('without a token: nobody where the server is public, as its proxy may send no forwarding headers', async () => {
    for (const [PUBLIC_URL, status] of [
      ['https://customers.example.com', 404],
      ['http://localhost.example.com', 404],
      ['http://10.0.0.5:3000', 404],
      ['http://localhost:3000', 200],
      ['http://127.0.0.1:3000/', 200],
      ['http://[::1]:3000', 200],
    ] as const) {
      const app = await startTestApp({ env: { PUBLIC_URL } });
      expect((await app.client().get('/metrics')).status, PUBLIC_URL).toBe(status);
      await app.close();
    }
    const app = await startTestApp({ env: { PUBLIC_URL: 'https://a.example.com', METRICS_TOKEN: token } });
    expect((await app.client().get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('with a token: anybody who sends it, from anywhere, and nobody else', async () => {
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

// The server refreshes the database metrics every five seconds.
const untilRefreshed = { timeout: 10_000, interval: 200 };

describe('While the database is down', () => {
  it('/metrics says so, leaves out jobs, and has everything else', async () => {
    const database = await createBreakableDatabase();
    const own = await startTestApp({ databaseUrl: database.url });
    expect((await readMetrics(own)).get('jobs', { state: 'waiting' })).toBe(0);
    await database.disconnect();
    const metrics = await vi.waitFor(async () => {
      const read = await readMetrics(own);
      expect(read.get('database_up')).toBe(0);
      expect(read.get('jobs', { state: 'waiting' })).toBeUndefined();
      return read;
    }, untilRefreshed);
    expect(metrics.get('jobs_oldest_due_seconds')).toBeUndefined();
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    await database.reconnect();
    await vi.waitFor(async () => expect((await readMetrics(own)).get('database_up')).toBe(1), untilRefreshed);
  });
});
