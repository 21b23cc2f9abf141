import {
  type BreakableDatabase,
  createBreakableDatabase,
} from '@customer-database/testkit/breakable-database';
import { openSocket, parseAnswer, readToEnd } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const ok = { status: 200, body: { status: 'OK' } };
const error = { status: 503, body: { status: 'ERROR' } };

async function healthOf(app: TestApp, path: string): Promise<{ status: number; body: unknown }> {
  const { status, body } = await app.client().get(path);
  return { status, body };
}

const becomes = (app: TestApp, path: string, expected: typeof ok) =>
  vi.waitFor(async () => expect(await healthOf(app, path)).toEqual(expected), {
    timeout: 10_000,
    interval: 200,
  });

describe('GET /health/live and GET /health/ready', () => {
  let database: BreakableDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await createBreakableDatabase();
    app = await startTestApp({ databaseUrl: database.url });
  });

  it('say OK to anybody', async () => {
    for (const path of ['/health/live', '/health/ready']) expect(await healthOf(app, path)).toEqual(ok);
  });

  it('while the database is down: alive, but not ready', async () => {
    await database.disconnect();
    await becomes(app, '/health/ready', error);
    expect(await healthOf(app, '/health/live')).toEqual(ok);
    await database.reconnect();
    await becomes(app, '/health/ready', ok);
  });

  it('while the database schema does not match: not ready', async () => {
    const { rows } = await app.pool.query(
      'delete from schema_migrations where version = (select max(version) from schema_migrations) returning version, name',
    );
    await becomes(app, '/health/ready', error);
    expect(await healthOf(app, '/health')).toEqual(ok);
    const [{ version, name }] = rows;
    await app.pool.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
    await becomes(app, '/health/ready', ok);
  });

  it('cost the database one query a second, and none for live', async () => {
    let acquired = 0;
    const count = () => {
      acquired += 1;
    };
    const started = Date.now();
    app.pool.on('acquire', count);
    for (let batch = 0; batch < 5; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, () => healthOf(app, '/health/ready')));
    }
    const forReady = acquired;
    await Promise.all(Array.from({ length: 100 }, () => healthOf(app, '/health/live')));
    app.pool.off('acquire', count);
    expect(forReady).toBeLessThanOrEqual((Date.now() - started) / 1000 + 1);
    expect(acquired).toBe(forReady);
  });

  it('are logged only at debug level', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      await app.client().get(path);
      await vi.waitFor(() => expect(app.logs()).toContain(`"path":"${path}"`), 10_000);
      const lines = app.logs().split('\n');
      for (const line of lines.filter((text) => text.includes(`"path":"${path}"`))) {
        expect(JSON.parse(line).level).toBe('debug');
      }
    }
  });
});

describe('A server that is shutting down', () => {
  it('is not ready but alive, keeps serving, and closes every connection after its response', async () => {
    const app = await startTestApp();
    const before = await app.client().get('/api/auth/setup');
    expect(before.headers.get('connection')).toBe('keep-alive');
    expect(await healthOf(app, '/health/ready')).toEqual(ok);
    app.announceStop();
    expect(await healthOf(app, '/health/ready')).toEqual(error);
    expect(await healthOf(app, '/health/live')).toEqual(ok);
    const after = await app.client().get('/api/auth/setup');
    expect(after.status).toBe(200);
    expect(after.headers.get('connection')).toBe('close');
  });

  it('is alive and not ready also while closing, when it refuses everything else', async () => {
    const app = await startTestApp();
    const paths = ['/health/live', '/health/ready', '/api/auth/setup'];
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
    // Connections with a started request stay open while the server closes.
    const sockets = await Promise.all(paths.map(() => openSocket(app.url)));
    for (const [index, socket] of sockets.entries()) socket.write(line(paths[index] ?? ''));
    await vi.waitFor(async () => {
      const open = await new Promise<number>((resolve) =>
        app.app.server.getConnections((_, count) => resolve(count)),
      );
      expect(open).toBeGreaterThanOrEqual(paths.length);
    }, 10_000);
    app.announceStop();
    const closed = app.app.close();
    const answers = sockets.map(readToEnd);
    await vi.waitFor(() => expect(app.app.server.listening).toBe(false), 10_000);
    for (const socket of sockets) socket.write('\r\n');
    const [live, ready, other] = (await Promise.all(answers)).map(parseAnswer);
    expect(live).toMatchObject({ status: 200, body: '{"status":"OK"}' });
    expect(ready).toMatchObject({ status: 503, body: '{"status":"ERROR"}' });
    expect(other?.status).toBe(503);
    expect(other?.body).toContain('"code":"BUSY"');
    await closed;
  });
});
