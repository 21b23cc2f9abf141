import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { download, storedKeys } from '@customer-database/testkit/documents';
import {
  makeAccount,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { type MetricSamples, parseMetrics, readMetrics } from '@customer-database/testkit/metrics';
import { openSocket } from '@customer-database/testkit/raw-http';
import { login, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { hashPassword } from '../../src/crypto/passwords.ts';
import { createBoss, failedQueue } from '../../src/jobs/boss.ts';
import { recordActivity } from '../../src/modules/activity/commands.ts';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
});

const requests = (metrics: MetricSamples, labels: Record<string, string>) =>
  metrics.get('http_request_duration_seconds_count', labels) ?? 0;

describe('GET /metrics', () => {
  it('is in Prometheus text format: every name has a help, and a type that fits its samples', async () => {
    const answer = await app.client().get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const metrics = parseMetrics(answer.body);
    expect(metrics.names().length).toBeGreaterThan(20);
    for (const name of metrics.names()) {
      expect(name).toMatch(/^customer_database_[a-z0-9_]+$/);
      expect(answer.body).toContain(`# HELP ${name} `);
      expect(answer.body).toContain(`# TYPE ${name} `);
    }
    for (const [, type, samples = ''] of answer.body.matchAll(/^# TYPE \S+ (\w+)\n((?:[^#\n].*\n?)*)/gm)) {
      if (type !== 'histogram') expect(samples).not.toMatch(/_bucket\{|[{,]le="/);
      if (type !== 'summary') expect(samples).not.toMatch(/[{,]quantile="/);
    }
    expect((await app.client().send('/metrics', { method: 'HEAD' })).status).toBe(200);
  });

  it('times requests by method, route pattern and status class', async () => {
    const route = '/api/customers/:id';
    const { id } = await makeCustomer(admin.client);
    const before = await readMetrics(app);
    for (let times = 0; times < 3; times += 1) await admin.client.get(`/api/customers/${id}`);
    await admin.client.get('/api/customers/999999999');
    const after = await readMetrics(app);
    const grown = (status: string) =>
      requests(after, { method: 'GET', route, status }) - requests(before, { method: 'GET', route, status });
    expect(grown('2xx')).toBe(3);
    expect(grown('4xx')).toBe(1);
    const labels = { method: 'GET', route, status: '2xx' };
    const seconds = after.get('http_request_duration_seconds_sum', labels) ?? 0;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(10);
    expect(after.get('http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(
      requests(after, labels),
    );
  });

  it('has one label for all unknown URLs, and never a URL', async () => {
    const before = await readMetrics(app);
    for (const name of ['one', 'two', 'three']) {
      await app.client().post(`/api/nowhere-${name}`, {});
      await app.client().send(`/api/nowhere-${name}`, { method: 'DELETE' });
      await app.client().get(`/no-page-${name}?token=abc`);
    }
    const after = await readMetrics(app);
    const none = { method: 'any', route: 'none', status: '4xx' };
    expect(requests(after, none) - requests(before, none)).toBe(6);
    expect(requests(after, { method: 'GET', route: '/*', status: '2xx' })).toBeGreaterThanOrEqual(3);
    expect(after.text).not.toMatch(/nowhere|no-page|token/);
  });

  it('counts requests in progress, also those whose caller disconnected', async () => {
    const upload = await openSocket(app.url);
    const head = `POST /api/customers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n`;
    upload.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
    const inProgress = async () => (await readMetrics(app)).get('http_requests_in_progress');
    // The request for the metrics is in progress too.
    await vi.waitFor(async () => expect(await inProgress()).toBe(2), 10_000);
    upload.destroy();
    await vi.waitFor(async () => expect(await inProgress()).toBe(1), 10_000);
    const gone = { method: 'POST', route: '/api/customers', status: 'aborted' };
    expect(requests(await readMetrics(app), gone)).toBe(1);
  });

  it('covers the process, the pool, the concurrency limits and the version', async () => {
    const metrics = await readMetrics(app);
    expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(metrics.get('nodejs_heap_used_bytes')).toBeGreaterThan(1_000_000);
    expect(metrics.get('nodejs_eventloop_active_seconds_total')).toBeGreaterThan(0);
    for (const part of ['p50', 'p99', 'max']) {
      expect(metrics.get(`nodejs_eventloop_lag_${part}_seconds`), part).toBeGreaterThanOrEqual(0);
    }
    expect(metrics.get('process_start_time_seconds')).toBeLessThan(Date.now() / 1000);
    expect(metrics.get('database_up')).toBe(1);
    expect(metrics.get('database_pool_size')).toBe(10);
    expect(metrics.get('database_pool_connections')).toBeGreaterThan(0);
    expect(metrics.get('database_pool_idle_connections')).toBeGreaterThanOrEqual(0);
    expect(metrics.get('database_pool_waiting')).toBe(0);
    for (const kind of ['upload', 'hash', 'search']) {
      expect(metrics.get('concurrency_limit_usage', { kind, state: 'running' }), kind).toBe(0);
      expect(metrics.get('concurrency_limit_usage', { kind, state: 'waiting' }), kind).toBe(0);
    }
    expect(metrics.get('build_info', { version: '1.0.0', node: process.version })).toBe(1);
  });

  it('shows heavy work while it runs and while it waits', async () => {
    const hashed = Promise.all(Array.from({ length: 40 }, () => hashPassword('a password')));
    const metrics = await readMetrics(app);
    expect(metrics.get('concurrency_limit_usage', { kind: 'hash', state: 'running' })).toBe(2);
    expect(metrics.get('concurrency_limit_usage', { kind: 'hash', state: 'waiting' })).toBeGreaterThan(0);
    await hashed;
    expect((await readMetrics(app)).get('concurrency_limit_usage', { kind: 'hash', state: 'running' })).toBe(
      0,
    );
  });

  it('times the storage by operation and outcome', async () => {
    const customer = await makeCustomer(admin.client);
    const document = await makeDocument(admin.client, customer.id);
    await download(admin.client, document.id);
    const { storage, config } = app.deps;
    await storage.head('documents/none');
    await storage.get('documents/none').catch(() => undefined);
    expect(await storedKeys(app)).toHaveLength(1);
    await storage.delete('documents/none');
    await expect(storage.put('../outside', Buffer.from('x'))).rejects.toThrow(TypeError);
    const folder = join(config.dataDir, 'objects');
    await rename(folder, `${folder}-away`);
    expect((await app.client().get(await linkTo(document.id))).status).toBe(503);
    await rename(`${folder}-away`, folder);
    const metrics = await readMetrics(app);
    const count = (operation: string, outcome: string) =>
      metrics.get('storage_operation_duration_seconds_count', { operation, outcome });
    expect(count('put', 'ok')).toBe(1);
    expect(count('get', 'ok')).toBe(1);
    expect(count('get', 'missing')).toBe(1);
    expect(count('get', 'unavailable')).toBe(1);
    expect(count('head', 'missing')).toBe(1);
    expect(count('list', 'ok')).toBe(1);
    expect(count('delete', 'ok')).toBe(1);
    expect(count('put', 'unavailable')).toBeUndefined();
  });

  async function linkTo(id: number): Promise<string> {
    return (await admin.client.get(`/api/documents/${id}/download`)).body.download_url;
  }

  it('counts throttled attempts by rule', async () => {
    const { email } = await makeAccount(app, 'staff');
    const throttled = async () =>
      (await readMetrics(app)).get('throttled_attempts_total', { kind: 'pair' }) ?? 0;
    expect(await throttled()).toBe(0);
    let refused = 0;
    for (let tries = 0; tries < 9; tries += 1) {
      if ((await login(app, email, wrongPassword)).status === 429) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
    expect(await throttled()).toBe(refused);
  });

  it('counts jobs by state', async () => {
    // Without a worker, whose schedules add jobs at any time.
    const quiet = await startTestApp();
    const unknownJob = 'unknown-job';
    await createBoss(quiet.deps.db, {}).createQueue(unknownJob);
    const insert = (name: string, state: string, startAfter: string) =>
      quiet.pool.query(
        `insert into pgboss.job (name, state, start_after) values ($1, $2, now() + $3::interval)`,
        [name, state, startAfter],
      );
    await insert(unknownJob, 'created', '-90 seconds');
    await insert(unknownJob, 'created', '1 hour');
    await insert(unknownJob, 'retry', '0');
    await insert(unknownJob, 'active', '0');
    await insert(failedQueue, 'created', '0');
    const metrics = await readMetrics(quiet);
    const jobs = (state: string) => metrics.get('jobs', { state });
    expect(['waiting', 'retrying', 'failed', 'running'].map(jobs)).toEqual([2, 1, 1, 1]);
    expect(metrics.get('jobs_oldest_due_seconds')).toBeGreaterThanOrEqual(90);
    expect(metrics.get('jobs_oldest_due_seconds')).toBeLessThan(150);
  });

  it('counts jobs that ran', async () => {
    const labels = { job: 'delete-expired', outcome: 'done' };
    const ran = async () => (await readMetrics(app)).get('job_duration_seconds_count', labels) ?? 0;
    const before = await ran();
    await enqueueScheduled(app.deps.db, 'delete-expired');
    await vi.waitFor(async () => expect(await ran()).toBeGreaterThan(before), {
      timeout: 50_000,
      interval: 200,
    });
  }, 60_000);

  it('costs the database three queries every few seconds, however often it is read', async () => {
    let acquired = 0;
    const count = () => {
      acquired += 1;
    };
    const quiet = await startTestApp();
    quiet.pool.on('acquire', count);
    const started = Date.now();
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(Array.from({ length: 20 }, () => quiet.client().get('/metrics')));
    }
    const periods = Math.floor((Date.now() - started) / 5_000) + 1;
    // One for the queue, one for backups and checks, one for texts that wait.
    expect(acquired).toBeGreaterThanOrEqual(3);
    expect(acquired).toBeLessThanOrEqual(3 * periods);
  });

  it('shows the times of the last backup and the last check, once there are any', async () => {
    const quiet = await startTestApp();
    const ctx = systemContext(quiet.deps);
    const before = await readMetrics(quiet);
    expect(before.get('last_backup_timestamp_seconds')).toBeUndefined();
    expect(before.get('last_check_problems')).toBeUndefined();
    await quiet.close();
    const later = await startTestApp({ databaseUrl: quiet.databaseUrl });
    const about = { ...ctx, deps: later.deps, db: later.deps.db };
    const backup = { type: 'backup', id: null, label: null } as const;
    await recordActivity(about, 'backup.completed', backup);
    await recordActivity(about, 'check.completed', { ...backup, type: 'check' }, { problems: 3 });
    const metrics = await readMetrics(later);
    const now = later.clock.now().getTime() / 1000;
    for (const name of ['last_backup_timestamp_seconds', 'last_check_timestamp_seconds']) {
      expect(now - (metrics.get(name) ?? 0)).toBeLessThan(60);
    }
    expect(metrics.get('last_check_problems')).toBe(3);
  });

  it('contains no personal data', async () => {
    const { text } = await readMetrics(app);
    expect(text).not.toMatch(/@|example\.com|\.pdf|127\.0\.0\.1|member|documents\/\d/);
    expect(text).not.toContain(admin.token);
    expect(text).not.toContain(app.deps.config.dataDir);
  });
});
