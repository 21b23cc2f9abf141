import {
  type BreakableDatabase,
  createBreakableDatabase,
} from '@customer-database/testkit/breakable-database';
import { readMetrics } from '@customer-database/testkit/metrics';
import { openSocket, parseAnswer, readToEnd } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const ok = { status: 200, body: { status: 'OK' } };
const error = { status: 503, body: { status: 'ERROR' } };
const paths = ['/health', '/s3/health', '/health/live', '/health/ready'];

let database: BreakableDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createBreakableDatabase();
  app = await startTestApp({ databaseUrl: database.url });
});

async function healthOf(path: string, server = app): Promise<{ status: number; body: unknown }> {
  const { status, body } = await server.client().get(path);
  return { status, body };
}

// The server refreshes the metrics of the database every five seconds.
const patient = { timeout: 10_000, interval: 200 };

const becomes = (path: string, expected: typeof ok) =>
  vi.waitFor(async () => expect(await healthOf(path)).toEqual(expected), patient);

describe('The health routes', () => {
  it('return OK to every caller, and nothing else', async () => {
    for (const path of paths) {
      expect(await healthOf(path)).toEqual(ok);
      const { headers } = await app.client().get(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('query the database once a second and the storage every three, however often they are called', async () => {
    let queries = 0;
    let checks = 0;
    const count = () => {
      queries += 1;
    };
    const { checkHealth } = app.deps.storage;
    app.deps.storage.checkHealth = () => {
      checks += 1;
      return checkHealth();
    };
    app.pool.on('acquire', count);
    const started = Date.now();
    for (let batch = 0; batch < 5; batch += 1) {
      const calls = Array.from({ length: 100 }, (_, call) => healthOf(paths[call % paths.length] ?? ''));
      for (const answer of await Promise.all(calls)) expect(answer).toEqual(ok);
    }
    const seconds = (Date.now() - started) / 1000;
    app.pool.off('acquire', count);
    app.deps.storage.checkHealth = checkHealth;
    // Of /health and of /health/ready.
    expect(queries).toBeLessThanOrEqual(2 * (seconds + 1));
    expect(checks).toBeLessThanOrEqual(seconds / 3 + 1);
  });

  it('are logged only at debug level', async () => {
    for (const path of [...paths, '/metrics']) {
      await app.client().get(path);
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

  it('return ERROR while the database is down, except those that do not need it; so does /metrics', async () => {
    expect((await readMetrics(app)).get('jobs', { state: 'waiting' })).toBe(0);
    await database.disconnect();
    await becomes('/health', error);
    await becomes('/health/ready', error);
    expect(await healthOf('/health/live')).toEqual(ok);
    expect(await healthOf('/s3/health')).toEqual(ok);
    const metrics = await vi.waitFor(async () => {
      const read = await readMetrics(app);
      expect(read.get('database_up')).toBe(0);
      expect(read.get('jobs', { state: 'waiting' })).toBeUndefined();
      return read;
    }, patient);
    expect(metrics.get('jobs_oldest_due_seconds')).toBeUndefined();
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    await database.reconnect();
    await becomes('/health', ok);
    await becomes('/health/ready', ok);
    await vi.waitFor(async () => expect((await readMetrics(app)).get('database_up')).toBe(1), patient);
  });

  it('return not ready while the database schema is of another version', async () => {
    const { rows } = await app.pool.query(
      'delete from schema_migrations where version = (select max(version) from schema_migrations) returning version, name',
    );
    await becomes('/health/ready', error);
    expect(await healthOf('/health')).toEqual(ok);
    const [{ version, name }] = rows;
    await app.pool.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
    await becomes('/health/ready', ok);
  });

  it('return ERROR for a storage that does not answer, and do not hang', async () => {
    const { checkHealth } = app.deps.storage;
    app.deps.storage.checkHealth = () => new Promise(() => {});
    await becomes('/s3/health', error);
    app.deps.storage.checkHealth = checkHealth;
    await becomes('/s3/health', ok);
  });
});

describe('A server that is shutting down', () => {
  it('is not ready but alive, keeps serving, and closes every connection after its response', async () => {
    const stopping = await startTestApp();
    const before = await stopping.client().get('/api/auth/setup');
    expect(before.headers.get('connection')).toBe('keep-alive');
    expect(await healthOf('/health/ready', stopping)).toEqual(ok);
    stopping.announceStop();
    expect(await healthOf('/health/ready', stopping)).toEqual(error);
    expect(await healthOf('/health/live', stopping)).toEqual(ok);
    const after = await stopping.client().get('/api/auth/setup');
    expect(after.status).toBe(200);
    expect(after.headers.get('connection')).toBe('close');
  });

  it('is alive and not ready also while closing, when it refuses everything else', async () => {
    const stopping = await startTestApp();
    const asked = ['/health/live', '/health/ready', '/api/auth/setup'];
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
    // Connections with a started request stay open while the server closes.
    const sockets = await Promise.all(asked.map(() => openSocket(stopping.url)));
    for (const [index, socket] of sockets.entries()) socket.write(line(asked[index] ?? ''));
    await vi.waitFor(async () => {
      const open = await new Promise<number>((resolve) =>
        stopping.app.server.getConnections((_, count) => resolve(count)),
      );
      expect(open).toBeGreaterThanOrEqual(asked.length);
    }, 10_000);
    stopping.announceStop();
    const closed = stopping.app.close();
    const answers = sockets.map(readToEnd);
    await vi.waitFor(() => expect(stopping.app.server.listening).toBe(false), 10_000);
    for (const socket of sockets) socket.write('\r\n');
    const [live, ready, other] = (await Promise.all(answers)).map(parseAnswer);
    expect(live).toMatchObject({ status: 200, body: '{"status":"OK"}' });
    expect(ready).toMatchObject({ status: 503, body: '{"status":"ERROR"}' });
    expect(other?.status).toBe(503);
    expect(other?.body).toContain('"code":"BUSY"');
    await closed;
  });
});
