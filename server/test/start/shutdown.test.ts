import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@customer-database/testkit/client';
import { makeCustomer, uploadBody } from '@customer-database/testkit/factories';
import { waitForUploads } from '@customer-database/testkit/metrics';
import { openSocket, parseAnswer, readToEnd } from '@customer-database/testkit/raw-http';
import { makeDataFolder, type RunningProcess, startRunning } from '@customer-database/testkit/server-process';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
});

const start = async (seconds: number) =>
  startRunning({
    DATA_DIR: await makeDataFolder(),
    DATABASE_URL: databaseUrl,
    SHUTDOWN_DELAY_SECONDS: String(seconds),
  });

const saysItStops = (server: RunningProcess) =>
  vi.waitFor(() => expect(server.output()).toContain('"stopping"'), 10_000);

const statusOf = async ({ url }: RunningProcess, path: string) => (await createClient(url).get(path)).status;

/** The time until it exited, and its exit code. */
async function endOf(server: RunningProcess): Promise<{ seconds: number; code: number | null }> {
  const since = Date.now();
  const code = await server.exited;
  return { seconds: (Date.now() - since) / 1000, code };
}

describe('A server that gets SIGTERM', () => {
  it('finishes and keeps running requests, and accepts no new ones', async () => {
    const env = { DATA_DIR: await makeDataFolder(), DATABASE_URL: databaseUrl };
    const account = { email: 'boss@example.com', password: 'a password of some length' };
    const settings = { ...env, ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password };
    const server = await startRunning(settings);
    const { token } = (await createClient(server.url).post('/api/auth/login', account)).body;
    const admin = createClient(server.url, token);
    const { id } = await makeCustomer(admin);
    const body = JSON.stringify(uploadBody(id));
    const begun = await openSocket(server.url);
    const answer = readToEnd(begun);
    begun.write(
      [
        'POST /api/documents HTTP/1.1',
        'host: x',
        `authorization: Bearer ${token}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        '',
        body.slice(0, 100),
      ].join('\r\n'),
    );
    await waitForUploads(server, 1);
    server.child.kill('SIGTERM');
    const ended = endOf(server);
    await vi.waitFor(() => expect(fetch(`${server.url}/health`)).rejects.toThrow(), 10_000);
    begun.write(body.slice(100));
    const { status, body: saved } = parseAnswer(await answer);
    expect(status).toBe(201);
    expect((await ended).code).toBe(0);
    expect((await ended).seconds).toBeLessThan(8);

    const again = await startRunning(env);
    const found = await createClient(again.url, token).get(`/api/documents/${JSON.parse(saved).document.id}`);
    expect(found.status).toBe(200);
    again.child.kill('SIGTERM');
    expect(await again.exited).toBe(0);
  }, 60_000);
});

describe.concurrent('A server with a SHUTDOWN_DELAY_SECONDS', () => {
  it('serves every request until the delay is over, and is not ready from the signal on', async () => {
    const server = await start(3);
    expect(await statusOf(server, '/health/ready')).toBe(200);
    server.child.kill('SIGTERM');
    const ended = endOf(server);
    await saysItStops(server);
    for (const until = Date.now() + 2_000; Date.now() < until; ) {
      expect(await statusOf(server, '/health/ready')).toBe(503);
      expect(await statusOf(server, '/health/live')).toBe(200);
      expect(await statusOf(server, '/api/auth/setup')).toBe(200);
    }
    const { seconds, code } = await ended;
    expect(code).toBe(0);
    expect(seconds).toBeGreaterThan(2.9);
    expect(seconds).toBeLessThan(8);
  }, 60_000);

  it('does not wait when a person stops it, and stops waiting at a second signal', async () => {
    const byHand = await start(10);
    byHand.child.kill('SIGINT');
    const { seconds, code } = await endOf(byHand);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(5);

    const twice = await start(10);
    twice.child.kill('SIGTERM');
    const ended = endOf(twice);
    // Within a second it would count as the same signal, forwarded by the launcher.
    await delay(1_500);
    expect(await statusOf(twice, '/api/auth/setup')).toBe(200);
    twice.child.kill('SIGTERM');
    expect((await ended).seconds).toBeLessThan(6);
    expect((await ended).code).toBe(0);
  }, 60_000);

  it('exits within fifteen seconds even with the longest delay and an endless request', async () => {
    const server = await start(10);
    const slow = await openSocket(server.url);
    slow.write('POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n');
    slow.write('content-length: 1000\r\n\r\n{');
    server.child.kill('SIGTERM');
    const { seconds, code } = await endOf(server);
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThan(15);
    expect(code).toBe(0);
  }, 60_000);

  it('of 0, the default, stops at once, also with an unused connection', async () => {
    const server = await start(0);
    await openSocket(server.url);
    server.child.kill('SIGTERM');
    const { seconds, code } = await endOf(server);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(4);
  }, 60_000);
});
