import { createBreakableDatabase } from '@customer-database/testkit/breakable-database';
import { makeUser } from '@customer-database/testkit/factories';
import { figuresOf } from '@customer-database/testkit/figures';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it, vi } from 'vitest';

const token = 'b7c2-a-token-for-those-who-watch';

describe('Several servers in one process', () => {
  it('count for themselves', async () => {
    const one = await startTestApp();
    const other = await startTestApp();
    await one.client().get('/api/auth/setup');
    const label = { method: 'GET', route: '/api/auth/setup', status: '2xx' };
    const count = 'http_request_duration_seconds_count';
    expect((await figuresOf(one)).get(count, label)).toBe(1);
    expect((await figuresOf(other)).get(count, label)).toBeUndefined();
  });
});

describe('Who may read /metrics', () => {
  it('without a token: callers on this machine, unless a proxy asks for somebody else', async () => {
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

  it('without a token: nobody where the server is for others, whose proxy may not say that it is one', async () => {
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

  it('with a token: whoever sends it, from anywhere, and nobody else', async () => {
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

// The server reads the figures of the database every five seconds.
const untilReadAgain = { timeout: 10_000, interval: 200 };

describe('While the database is away', () => {
  it('/metrics says so, without jobs, and has everything else', async () => {
    const database = await createBreakableDatabase();
    const own = await startTestApp({ databaseUrl: database.url });
    expect((await figuresOf(own)).get('jobs', { state: 'waiting' })).toBe(0);
    await database.takeAway();
    const figures = await vi.waitFor(async () => {
      const read = await figuresOf(own);
      expect(read.get('database_up')).toBe(0);
      expect(read.get('jobs', { state: 'waiting' })).toBeUndefined();
      return read;
    }, untilReadAgain);
    expect(figures.get('jobs_oldest_due_seconds')).toBeUndefined();
    expect(figures.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    await database.bringBack();
    await vi.waitFor(async () => expect((await figuresOf(own)).get('database_up')).toBe(1), untilReadAgain);
  });
});
