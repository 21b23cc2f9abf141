import type { ActivityAction } from '@customer-database/contract/activity';
import { countRows, fieldsOf } from '@customer-database/testkit/documents';
import {
  customerFields,
  makeAccount,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { Kysely, PostgresDialect } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymousActor, systemContext } from '../../src/core/context.ts';
import type { Schema } from '../../src/db/schema.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';
import { recordActivity } from '../../src/modules/activity/commands.ts';
import { readDashboard } from '../../src/modules/dashboard/commands.ts';

const day = 24 * 3_600_000;

let app: TestApp;
let admin: TestUser;
let staff: TestUser;

async function start(): Promise<void> {
  app = await startTestApp();
  admin = await makeUser(app, 'admin', { name: 'Ada Admin' });
  staff = await makeUser(app, 'staff', { name: 'Sam Staff' });
}

async function dashboard() {
  const { status, body } = await staff.client.get('/api/dashboard');
  expect(status).toBe(200);
  return body;
}

async function expectRealTotals(): Promise<void> {
  const { customers, documents } = await dashboard();
  expect(customers.total).toBe(await countRows(app, 'customers'));
  expect(documents.total).toBe(await countRows(app, 'documents'));
}

describe('GET /api/dashboard', () => {
  beforeAll(start);

  it('returns these fields and no others, empty at first', async () => {
    const body = await dashboard();
    expect(fieldsOf(body)).toEqual([
      'active_users',
      'customers',
      'documents',
      'documents_this_month',
      'last_backup_at',
      'maintenance',
      'recent_activity',
      'started_at',
      'unusual_reading',
      'uptime_seconds',
    ]);
    expect(body).toMatchObject({
      customers: { total: 0, change_percent: null },
      documents: { total: 0, change_percent: null },
      active_users: 2,
      documents_this_month: 0,
      last_backup_at: null,
      maintenance: null,
      recent_activity: [],
    });
  });

  it('shows how long the server has been running', async () => {
    const { started_at, uptime_seconds } = await dashboard();
    expect(started_at).toBe(app.deps.startedAt.toISOString());
    app.clock.advance(3_600_000);
    expect((await dashboard()).uptime_seconds - uptime_seconds).toBeGreaterThanOrEqual(3_600);
    app.clock.advance(-3_600_000);
  });

  it('counts users seen in the last 30 days who are not disabled', async () => {
    await makeAccount(app, 'staff');
    const leaver = await makeUser(app, 'staff');
    expect((await dashboard()).active_users).toBe(3);
    await setUserDisabled(systemContext(app.deps), leaver.id, true);
    expect((await dashboard()).active_users).toBe(2);
    app.clock.advance(31 * day);
    staff = await makeUser(app, 'staff');
    expect((await dashboard()).active_users).toBe(1);
    app.clock.advance(-31 * day);
    await start();
  });

  it('shows the last backup, once there is one', async () => {
    const backup = { type: 'backup', id: null, label: 'backup.tar' } as const;
    for (const at of ['2026-01-02T02:00:00.000Z', '2026-01-03T02:00:00.000Z']) {
      app.clock.set(at);
      await recordActivity(systemContext(app.deps), 'backup.completed', backup);
      expect((await dashboard()).last_backup_at.slice(0, 19)).toBe(at.slice(0, 19));
    }
    app.clock.set(new Date());
  });
});

describe('The maintenance that administrators see', () => {
  beforeAll(start);

  const maintenance = async () => (await admin.client.get('/api/dashboard')).body.maintenance;
  const record = (action: ActivityAction, detail?: Record<string, unknown>) =>
    recordActivity(systemContext(app.deps), action, { type: 'backup', id: null, label: null }, detail);

  it('is empty at first, and always for staff', async () => {
    expect(await maintenance()).toEqual({
      backup_failed_at: null,
      check_failed_at: null,
      last_check_at: null,
      last_check_problems: null,
      texts_waiting: 0,
    });
    expect((await dashboard()).maintenance).toBeNull();
  });

  it('shows a failed backup, until one succeeds', async () => {
    app.clock.set('2026-01-02T02:00:00.000Z');
    await record('backup.completed');
    app.clock.set('2026-01-03T02:00:00.000Z');
    await record('backup.failed', { reason: 'x' });
    expect((await maintenance()).backup_failed_at).toMatch(/^2026-01-03T02:00:0/);
    app.clock.set('2026-01-03T03:00:00.000Z');
    await record('backup.completed');
    expect((await maintenance()).backup_failed_at).toBeNull();
  });

  it('shows the last check and the number of open problems', async () => {
    app.clock.set('2026-01-03T04:00:00.000Z');
    await record('check.completed', { problems: 3 });
    expect(await maintenance()).toMatchObject({ last_check_problems: 3 });
    app.clock.set('2026-01-10T04:00:00.000Z');
    await record('check.completed', { problems: 0 });
    const { last_check_at, last_check_problems } = await maintenance();
    expect(last_check_at).toMatch(/^2026-01-10T04:00:0/);
    expect(last_check_problems).toBe(0);
    expect((await dashboard()).maintenance).toBeNull();
    app.clock.set(new Date());
  });

  it('shows an unfinished check, until one finishes', async () => {
    app.clock.set('2026-01-17T04:00:00.000Z');
    await record('check.failed', { reason: 'x' });
    expect((await maintenance()).check_failed_at).toMatch(/^2026-01-17T04:00:0/);
    app.clock.set('2026-01-17T05:00:00.000Z');
    await record('check.completed', { problems: 0 });
    expect((await maintenance()).check_failed_at).toBeNull();
    app.clock.set(new Date());
  });
});

describe('The totals', () => {
  beforeAll(start);

  it('are the real counts after records were created and deleted', async () => {
    const customers = [await makeCustomer(admin.client), await makeCustomer(admin.client)];
    const [first, second] = customers.map(({ id }) => id);
    const document = await makeDocument(admin.client, first ?? 0);
    await makeDocument(admin.client, first ?? 0);
    await expectRealTotals();
    await admin.client.delete(`/api/documents/${document.id}`);
    await admin.client.delete(`/api/customers/${second}`);
    await expectRealTotals();
    expect(await dashboard()).toMatchObject({ customers: { total: 1 }, documents: { total: 1 } });
  });

  it('count neither refused nor rolled back changes', async () => {
    const { customers, documents } = await dashboard();
    await admin.client.post('/api/customers', customerFields({ name: '' }));
    await admin.client.post('/api/documents', uploadBody(99_999_999));
    const client = await app.pool.connect();
    await client.query('begin; delete from documents; delete from customers; rollback');
    client.release();
    expect(await dashboard()).toMatchObject({ customers, documents });
    await expectRealTotals();
  });

  it('are the real counts after 50 concurrent creates, with uploads and deletes among them', async () => {
    const { id } = await makeCustomer(admin.client);
    const doomed = await Promise.all(Array.from({ length: 10 }, () => makeCustomer(admin.client)));
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => admin.client.post('/api/customers', customerFields())),
      ...doomed.map((customer) => admin.client.delete(`/api/customers/${customer.id}`)),
      ...Array.from({ length: 10 }, () => admin.client.post('/api/documents', uploadBody(id))),
    ]);
    for (const answer of answers) expect(answer.status).toBeLessThan(300);
    await expectRealTotals();
    expect((await admin.client.get('/api/customers?limit=1')).body.total).toBe(
      await countRows(app, 'customers'),
    );
    expect((await admin.client.post('/api/documents/search', {})).body.count).toBe(
      await countRows(app, 'documents'),
    );
  });

  it('are read without scanning customers or documents, and activity by an index', async () => {
    await app.pool.query(`insert into activity (at, action, actor_label, subject_type, shown, salt, mac)
      select now(), 'sign_in.succeeded', 'x', 'user', false, '', '' from generate_series(1, 20000); analyze`);
    const asked: { sql: string; parameters: readonly unknown[] }[] = [];
    const db = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: app.pool }),
      log({ query }) {
        asked.push({ sql: query.sql, parameters: query.parameters });
      },
    });
    const ctx = { deps: { ...app.deps, db }, db, actor: anonymousActor, address: null, requestId: null };
    await readDashboard(ctx, true);
    expect(asked).toHaveLength(4);
    const plans = await Promise.all(
      asked.map(({ sql, parameters }) => app.pool.query(`explain ${sql}`, [...parameters])),
    );
    const text = plans.flatMap(({ rows }) => rows.map((row) => row['QUERY PLAN'])).join('\n');
    expect(text).toMatch(/ on record_counts/);
    expect(text).not.toMatch(/ on (customers|documents)/);
    expect(text).toMatch(/Index .*activity_shown/);
    expect(text).toMatch(/Index .*activity_by_action/);
    expect(text).not.toMatch(/Seq Scan on activity/);
  });
});

describe('The change in percent', () => {
  beforeAll(start);

  it('compares what the last 30 days added with the total before', async () => {
    const change = async () => (await dashboard()).customers.change_percent;
    app.clock.set('2025-03-01T12:00:00Z');
    const first = await makeCustomer(admin.client);
    expect(await change()).toBeNull();
    await makeCustomer(admin.client);
    await makeCustomer(admin.client);
    app.clock.set('2025-04-10T12:00:00Z');
    expect(await change()).toBe(0);
    await makeCustomer(admin.client);
    expect(await change()).toBe(33.3);
    await admin.client.delete(`/api/customers/${first.id}`);
    expect(await change()).toBe(50);
    app.clock.set('2025-05-09T12:00:00Z');
    expect(await change()).toBe(50);
    app.clock.set('2025-05-11T12:00:00Z');
    expect(await change()).toBe(0);
  });
});
