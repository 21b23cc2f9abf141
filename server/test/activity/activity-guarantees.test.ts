import { activitySince, breakCommits, lastActivityId } from '@customer-database/testkit/activity';
import type { Answer } from '@customer-database/testkit/client';
import {
  customerFields,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  testPassword,
  unique,
  uploadBody,
} from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertUser } from '../../src/modules/accounts/repo.ts';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let customerId: number;
let documentId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  customerId = (await makeCustomer(admin.client)).id;
  documentId = (await makeDocument(admin.client, customerId)).id;
});

describe('When a change fails at the last moment', () => {
  const changes: [string, 'customers' | 'documents' | 'users', () => Promise<Answer>][] = [
    ['POST /api/customers', 'customers', () => admin.client.post('/api/customers', customerFields())],
    [
      'PUT /api/customers/{id}',
      'customers',
      () => admin.client.put(`/api/customers/${customerId}`, { city: 'X' }),
    ],
    ['POST /api/documents', 'documents', () => admin.client.post('/api/documents', uploadBody(customerId))],
    ['DELETE /api/documents/{id}', 'documents', () => admin.client.delete(`/api/documents/${documentId}`)],
    ['PUT /api/auth/profile', 'users', () => staff.client.put('/api/auth/profile', { phone_number: '1' })],
    [
      'POST /api/auth/invite',
      'users',
      () => admin.client.post('/api/auth/invite', { email: 'b@example.com' }),
    ],
    [
      'PUT /api/auth/change-password',
      'users',
      () =>
        staff.client.put('/api/auth/change-password', {
          currentPassword: testPassword,
          newPassword: unique('new'),
        }),
    ],
  ];

  it.each(changes)('%s leaves no row that claims success', async (_, table, change) => {
    const before = await fingerprintOf(app);
    const last = await lastActivityId(app);
    const repair = await breakCommits(app, table);
    expect((await change().finally(repair)).status).toBe(500);
    expect(await activitySince(app, last)).toEqual([]);
    expect(await fingerprintOf(app)).toEqual(before);
  });
});

describe('The log is append-only', () => {
  it.each([
    ["update activity set actor_label = 'somebody else'"],
    ['update activity set at = now() where id = (select min(id) from activity)'],
    ['delete from activity'],
    ['delete from activity where id = (select max(id) from activity)'],
    ['truncate activity'],
    ['truncate activity restart identity cascade'],
    ['truncate users cascade'],
  ])('the database refuses: %s', async (statement) => {
    const before = await activitySince(app, 0);
    expect(before.length).toBeGreaterThan(0);
    await expect(app.pool.query(statement)).rejects.toThrow('the activity log only grows');
    expect(await activitySince(app, 0)).toEqual(before);
  });

  it('users in it cannot be deleted', async () => {
    await expect(app.pool.query('delete from users where id = $1', [admin.id])).rejects.toThrow(
      'violates foreign key constraint',
    );
  });
});

describe('What a caller sends cannot forge a row', () => {
  it.each(['\n', '\r\n', '\u2028', '\u0085', '\u001b[2K'])('names with %j are refused', async (breaking) => {
    const before = await lastActivityId(app);
    const name = `Ann${breaking}sign_in.succeeded admin`;
    const answers = [
      await admin.client.post('/api/customers', customerFields({ name })),
      await admin.client.post('/api/documents', uploadBody(customerId, { filename: `${name}.pdf` })),
      await staff.client.put('/api/auth/profile', { name }),
      await admin.client.post('/api/auth/invite', { email: 'a@example.com', name }),
      await app
        .client()
        .post('/api/auth/login', { email: `a${breaking}@example.com`, password: testPassword }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await activitySince(app, before)).toEqual([]);
  });

  it('a stored line break in a name stays data: one event, one row, one line', async () => {
    const name = 'Eve\n{"level":"info","action":"sign_in.succeeded"}';
    const now = app.clock.now();
    const { password_hash } = await app.deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', admin.id)
      .executeTakeFirstOrThrow();
    const email = `${unique('eve')}@example.com`;
    await insertUser(app.deps.db, {
      email,
      name,
      role: 'staff',
      password_hash,
      created_at: now,
      updated_at: now,
    });
    const before = await lastActivityId(app);
    await app.client().post('/api/auth/login', { email, password: testPassword });
    expect(await activitySince(app, before)).toMatchObject([
      { action: 'sign_in.succeeded', actor_label: name },
    ]);
    for (const line of app.logs().trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('neither address nor request id come from headers', async () => {
    const before = await lastActivityId(app);
    const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', 'x-request-id': 'mine' };
    const answer = await staff.client.get(`/api/documents/${documentId}/view`, forged);
    const [row] = await activitySince(app, before);
    expect(row).toMatchObject({ address: '127.0.0.1', request_id: answer.headers.get('x-request-id') });
    expect(row?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });
});
