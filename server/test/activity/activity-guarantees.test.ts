import {
  activitySince,
  breakActivityLog,
  breakCommits,
  lastActivityId,
} from '@customer-database/testkit/activity';
import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import type { Answer } from '@customer-database/testkit/client';
import { issueLink } from '@customer-database/testkit/documents';
import {
  aPdf,
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
import { systemContext } from '../../src/core/context.ts';
import { insertUser } from '../../src/modules/accounts/repo.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';
import { calls } from '../http/calls/all.ts';
import { type Call, prepareExample } from '../http/calls/call.ts';

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

/** Expects that the call fails, and leaves neither a change nor a row. */
async function expectNothing(
  server: TestApp,
  change: () => Promise<Answer>,
  breakDatabase: (app: TestApp) => Promise<() => Promise<void>> = breakActivityLog,
): Promise<void> {
  const before = await fingerprintOf(server);
  const last = await lastActivityId(server);
  const repair = await breakDatabase(server);
  const answer = await change().finally(repair);
  expect(answer.status).toBe(500);
  expect(answer.body).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(JSON.stringify(answer.body)).not.toMatch(/disk full|cut off/);
  expect(await fingerprintOf(server)).toEqual(before);
  expect(await activitySince(server, last)).toEqual([]);
}

const changedTables = ['customers', 'documents', 'users', 'sessions', 'passkeys', 'api_tokens'] as const;

const writing = Object.entries(calls).filter(([name]) => !name.startsWith('GET '));
const logged = writing.filter(([, { changes }]) => changes === undefined);
const notLogged = writing.filter(([, { changes }]) => changes !== undefined);

describe('A change and its row', () => {
  const prepare = (name: string, call: Call) =>
    prepareExample(name, call, { app, admin, customerId, documentId });

  it.each(logged)('are both saved or neither: %s', async (name, call) => {
    const first = await prepare(name, call);
    await expectNothing(first.app, first.send);
    const second = await prepare(name, call);
    await expectNothing(second.app, second.send, (server) => breakCommits(server, ...changedTables));
  });

  it.each(notLogged)('are not expected of %s, which changes no record', async (name, call) => {
    const example = await prepare(name, call);
    const before = await fingerprintOf(app);
    const repair = await breakActivityLog(app);
    const answer = await example.send().finally(repair);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it('are tested here for every call that writes', () => {
    const described = operationsOf(apiDocument(app)).filter(({ method }) => method !== 'GET');
    expect(described.map(({ name }) => name).sort()).toEqual(writing.map(([name]) => name).sort());
  });
});

describe('When the log cannot be written', () => {
  it('no API token is accepted', async () => {
    const { client } = await makeUser(app, 'staff');
    const { token } = (await client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' })).body;
    const repair = await breakActivityLog(app);
    const answer = await app.client(token).get('/api/customers');
    await repair();
    expect(answer.status).toBe(500);
    expect(answer.body.customers).toBeUndefined();
  });

  it('no link is issued', async () => {
    const repair = await breakActivityLog(app);
    const answers = [
      await staff.client.get(`/api/documents/${documentId}/download`),
      await staff.client.get(`/api/documents/${documentId}/view`),
    ];
    await repair();
    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(JSON.stringify(answer.body)).not.toContain('signature');
    }
  });

  it('no document is served, though its link is valid', async () => {
    const marked = await makeDocument(admin.client, customerId, {}, aPdf('Confidential'));
    const urls = [
      await issueLink(staff.client, marked.id, 'download'),
      await issueLink(staff.client, marked.id, 'view'),
    ];
    const repair = await breakActivityLog(app);
    for (const url of urls) {
      for (const init of [{}, { headers: { range: 'bytes=0-9' } }, { method: 'HEAD' }]) {
        const response = await fetch(url, init);
        expect(response.status).toBe(500);
        expect(response.headers.get('content-disposition')).toBeNull();
        expect(await response.text()).not.toContain('%PDF');
      }
    }
    await repair();
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
  });

  it('a refused call stays refused', async () => {
    const repair = await breakActivityLog(app);
    const answer = await staff.client.delete(`/api/documents/${documentId}`).finally(repair);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await admin.client.get(`/api/documents/${documentId}`)).status).toBe(200);
  });

  it('a user cannot be disabled from the command line either', async () => {
    const repair = await breakActivityLog(app);
    await expect(setUserDisabled(systemContext(app.deps), staff.id, true).finally(repair)).rejects.toThrow();
    expect((await staff.client.get('/api/auth/verify')).status).toBe(200);
  });
});

describe('The log is append-only', () => {
  it.each([
    ["update activity set actor_label = 'a forger'"],
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
