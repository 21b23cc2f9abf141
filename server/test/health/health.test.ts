import {
  type BreakableDatabase,
  createBreakableDatabase,
} from '@customer-database/testkit/breakable-database';
import { makeUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const ok = { status: 200, body: { status: 'OK' } };
const error = { status: 503, body: { status: 'ERROR' } };

let database: BreakableDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createBreakableDatabase();
  app = await startTestApp({ databaseUrl: database.url });
});

async function healthOf(path: string): Promise<{ status: number; body: unknown }> {
  const { status, body } = await app.client().get(path);
  return { status, body };
}

const becomes = (path: string, expected: typeof ok) =>
  vi.waitFor(async () => expect(await healthOf(path)).toEqual(expected), { timeout: 10_000, interval: 200 });

describe('GET /health and GET /s3/health', () => {
  it('say OK to anybody, and nothing else', async () => {
    for (const path of ['/health', '/s3/health']) {
      expect(await healthOf(path)).toEqual(ok);
      const { headers } = await app.client().get(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('hardly query the database and the storage, however often they are called', async () => {
    let acquired = 0;
    let checked = 0;
    const count = () => {
      acquired += 1;
    };
    const { checkHealth } = app.deps.storage;
    app.deps.storage.checkHealth = () => {
      checked += 1;
      return checkHealth();
    };
    app.pool.on('acquire', count);
    const started = Date.now();
    let calls = 0;
    // Long enough for both caches to be refreshed at least once.
    while (calls < 2_000 || Date.now() - started < 3_500) {
      const batch = Array.from({ length: 100 }, (_, call) => healthOf(call % 2 ? '/health' : '/s3/health'));
      for (const answer of await Promise.all(batch)) expect(answer).toEqual(ok);
      calls += batch.length;
    }
    const seconds = (Date.now() - started) / 1000;
    app.pool.off('acquire', count);
    app.deps.storage.checkHealth = checkHealth;
    expect(acquired).toBeGreaterThan(0);
    expect(acquired).toBeLessThanOrEqual(seconds + 1);
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(seconds / 3 + 1);
  });

  it('are logged only at debug level', async () => {
    for (const path of ['/health', '/s3/health']) {
      await healthOf(path);
      const lines = await vi.waitFor(() => {
        const found = app
          .logs()
          .split('\n')
          .filter((line) => line.includes(`"path":"${path}"`));
        expect(found.length).toBeGreaterThan(0);
        return found;
      }, 10_000);
      expect(lines.every((line) => JSON.parse(line).level === 'debug')).toBe(true);
    }
  });
});

describe('While the database is down', () => {
  it('/health says ERROR, /s3/health stays OK, calls return 503, and all recover when it is back', async () => {
    const admin = await makeUser(app, 'admin');
    await database.disconnect();
    await becomes('/health', error);
    expect(await healthOf('/s3/health')).toEqual(ok);
    for (const path of ['/api/customers', '/api/documents', '/api/dashboard']) {
      const answer = await admin.client.get(path);
      expect(answer.status, path).toBe(503);
      expect(answer.body).toMatchObject({
        error: 'The database is not available right now. Please try again later.',
        code: 'DATABASE_UNAVAILABLE',
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await database.reconnect();
    await becomes('/health', ok);
    expect((await admin.client.get('/api/documents')).status).toBe(200);
  });
});

describe('A storage that does not answer', () => {
  it('is an ERROR after a few seconds, and the call does not hang', async () => {
    const { checkHealth } = app.deps.storage;
    app.deps.storage.checkHealth = () => new Promise(() => {});
    await becomes('/s3/health', error);
    app.deps.storage.checkHealth = checkHealth;
    await becomes('/s3/health', ok);
  });
});
