import type { Activity, ActivityResponse } from '@customer-database/contract/activity-response';
import { issueLink } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { updateUser } from '../../src/modules/accounts/users/commands.ts';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let customerId: number;
let documentId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin', { name: 'Ada Admin' });
  staff = await makeUser(app, 'staff', { name: 'Sam Staff' });
  customerId = (await makeCustomer(admin.client, { name: 'Carla' })).id;
  const other = await makeCustomer(admin.client, { name: 'Otto' });
  documentId = (await makeDocument(admin.client, customerId)).id;
  await makeDocument(admin.client, other.id);
  await fetch(await issueLink(staff.client, documentId, 'view'));
  await fetch(await issueLink(admin.client, documentId, 'download'));
  await staff.client.delete(`/api/customers/${customerId}`);
  await app.client().post('/api/auth/login', { email: staff.email, password: 'wrong password' });
  await admin.client.put(`/api/customers/${customerId}`, { city: 'Bonn' });
});

async function read(query = '', client = admin.client): Promise<ActivityResponse> {
  const { status, body } = await client.get(`/api/activity?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const actionsOf = (rows: Activity[]) => rows.map(({ action }) => action);
const actions = async (query: string) => actionsOf((await read(query)).activity);

const unknownAction = 'action must be one or more known actions, separated by commas';

describe('GET /api/activity', () => {
  it('lists who did what to what, from where, newest first', async () => {
    const { activity, next_before } = await read();
    expect(next_before).toBeNull();
    expect(actionsOf(activity)).toEqual([
      'customer.updated',
      'sign_in.failed',
      'access.denied',
      'document.downloaded',
      'document.link_issued',
      'document.viewed',
      'document.link_issued',
      'document.uploaded',
      'document.uploaded',
      'customer.created',
      'customer.created',
    ]);
    expect(activity[0]).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      action: 'customer.updated',
      outcome: 'done',
      actor_id: admin.id,
      actor_name: 'Ada Admin',
      subject_type: 'customer',
      subject_id: customerId,
      subject_label: 'Carla',
      customer_id: customerId,
      address: '127.0.0.1',
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      detail: null,
      changes: { city: { from: 'Berlin', to: 'Bonn' } },
    });
    expect(activity[1]).toMatchObject({ outcome: 'refused', actor_id: null, detail: { factor: 'password' } });
  });

  it('is filtered by person, action, outcome, customer and document', async () => {
    expect(await actions(`person=${staff.id}`)).toEqual([
      'access.denied',
      'document.viewed',
      'document.link_issued',
    ]);
    expect(await actions('action=document.viewed')).toEqual(['document.viewed']);
    expect(await actions('action=document.viewed,customer.created')).toEqual([
      'document.viewed',
      'customer.created',
      'customer.created',
    ]);
    expect(await actions('outcome=refused')).toEqual(['sign_in.failed', 'access.denied']);
    expect(await actions('outcome=done')).toHaveLength(9);
    expect(await actions(`customer_id=${customerId}`)).toEqual([
      'customer.updated',
      'document.downloaded',
      'document.link_issued',
      'document.viewed',
      'document.link_issued',
      'document.uploaded',
      'customer.created',
    ]);
    expect(await actions(`document_id=${documentId}`)).toEqual([
      'document.downloaded',
      'document.link_issued',
      'document.viewed',
      'document.link_issued',
      'document.uploaded',
    ]);
  });

  it('is filtered by all of them at once', async () => {
    const person = `person=${staff.id}`;
    expect(await actions(`${person}&outcome=refused`)).toEqual(['access.denied']);
    expect(await actions(`${person}&action=document.viewed,document.downloaded`)).toEqual([
      'document.viewed',
    ]);
    expect(
      await actions(`${person}&customer_id=${customerId}&document_id=${documentId}&outcome=done`),
    ).toEqual(['document.viewed', 'document.link_issued']);
    expect(await actions('outcome=refused&action=sign_in.failed,document.viewed')).toEqual([
      'sign_in.failed',
    ]);
    for (const none of [
      'outcome=refused&action=document.viewed',
      'action=mfa.reset',
      'person=999999',
      'customer_id=999999',
      'document_id=999999&person=1',
      `${person}&customer_id=${customerId}&action=customer.created`,
    ]) {
      expect(await read(none), none).toEqual({ activity: [], next_before: null });
    }
  });

  it('is for administrators', async () => {
    for (const path of ['/api/activity', '/api/activity/export']) {
      expectProblem(await app.client().get(path), 401, 'UNAUTHENTICATED');
      expectProblem(await staff.client.get(path), 403, 'FORBIDDEN');
    }
  });

  it.each<[string, Record<string, string>]>([
    ['person=0', { person: 'The id must be a positive whole number' }],
    ['person=1&person=2', { person: 'The id must be a positive whole number' }],
    ['customer_id=x', { customer_id: 'The id must be a positive whole number' }],
    ['document_id=1.5', { document_id: 'The id must be a positive whole number' }],
    ['outcome=failed', { outcome: 'outcome must be one of done, refused' }],
    ['from=2026-02-30', { from: 'From must be a date like 2026-01-31' }],
    ['to=today', { to: 'To must be a date like 2026-01-31' }],
    ['from=2026-02-02&to=2026-02-01', { from: 'From must not be after to' }],
    ...['', 'nothing', 'document.viewed,', 'document.viewed;sign_out', '%27', 'sign_out&action=sign_out'].map(
      (value): [string, Record<string, string>] => [`action=${value}`, { action: unknownAction }],
    ),
  ])('and its export refuse %s', async (query, fields) => {
    for (const path of ['/api/activity', '/api/activity/export']) {
      const answer = await admin.client.get(`${path}?${query}`);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields).toEqual(fields);
    }
  });

  it.each([
    ['limit=0', { limit: 'limit must be a whole number from 1 to 200' }],
    ['limit=201', { limit: 'limit must be a whole number from 1 to 200' }],
    ['before=x', { before: 'The id must be a positive whole number' }],
    ['before=999999999', { before: 'before must be the id of a row of the activity log' }],
    ['page=2', { page: 'page is not a field that can be set here' }],
  ])('refuses %s', async (query, fields) => {
    const answer = await admin.client.get(`/api/activity?${query}`);
    expectProblem(answer, 400, 'VALIDATION_FAILED');
    expect(answer.body.fields).toEqual(fields);
  });
});

describe('Pages of the log', () => {
  it.each(['', 'outcome=done&', 'action=customer.created,customer.updated&', 'customer_id=ID&'])(
    'follow each other without a gap or a repetition while rows are added: %s',
    async (template) => {
      const filter = template.replace('ID', String(customerId));
      const expected = (await read(`${filter}limit=200`)).activity.map(({ id }) => id);
      const seen: number[] = [];
      let before = '';
      for (let pages = 0; pages < 20; pages += 1) {
        const { activity, next_before } = await read(`${filter}limit=3${before}`);
        seen.push(...activity.map(({ id }) => id));
        await admin.client.put(`/api/customers/${customerId}`, { city: `City ${pages}` });
        if (next_before === null) break;
        expect(next_before).toBe(activity.at(-1)?.id);
        before = `&before=${next_before}`;
      }
      expect(seen).toEqual(expected);
    },
  );

  it('follow the time, then the id, whatever their fractions', async () => {
    await app.pool.query(`
      insert into activity (at, action, actor_label, subject_type, subject_label, shown, salt, mac)
      select timestamptz '2020-05-05 12:00:00.000001Z' + (place / 2) * interval '1 microsecond',
        'texts.read', 'system', 'document', place, false, '', ''
      from unnest(array[7, 0, 6, 1, 5, 2, 4, 3]) as place`);
    const whole = (await read('action=texts.read')).activity;
    const order = whole.map(({ subject_label }) => Math.floor(Number(subject_label) / 2));
    expect(order).toEqual([3, 3, 2, 2, 1, 1, 0, 0]);
    const seen: Activity[] = [];
    let next: number | null = 0;
    while (next !== null) {
      const page = await read(`action=texts.read&limit=1${next ? `&before=${next}` : ''}`);
      seen.push(...page.activity);
      next = page.next_before;
    }
    expect(seen).toEqual(whole);
  });
});

describe('Days', () => {
  it("are those of the server's time zone, both included", async () => {
    const makeAt = async (time: string) => {
      app.clock.set(time);
      return (await makeCustomer(admin.client, { name: time })).name;
    };
    const now = app.clock.now();
    await makeAt('2025-07-09T21:59:30Z');
    const first = await makeAt('2025-07-09T22:00:00Z');
    const last = await makeAt('2025-07-10T21:59:30Z');
    const after = await makeAt('2025-07-10T22:00:00Z');
    app.clock.set(now);
    const labels = async (query: string) =>
      (await read(`action=customer.created&${query}`)).activity.map(({ subject_label }) => subject_label);
    expect(await labels('from=2025-07-10&to=2025-07-10')).toEqual([last, first]);
    expect(await labels('from=2025-07-10&to=2025-07-11')).toEqual([after, last, first]);
    expect(await labels('to=2025-07-09')).toHaveLength(1);
    expect(await labels('from=2025-07-11&to=2025-07-11')).toEqual([after]);
  });
});

describe('Old and new values', () => {
  it('of a role are kept', async () => {
    const person = await makeUser(app, 'staff');
    await updateUser(systemContext(app.deps), person.id, { role: 'admin' });
    const [row] = (await read('action=user.role_changed')).activity;
    expect(row).toMatchObject({
      subject_id: person.id,
      actor_name: 'system',
      detail: null,
      changes: { role: { from: 'staff', to: 'admin' } },
    });
  });

  it('outlive the customer and the document, by whose id they are still found', async () => {
    const customer = await makeCustomer(admin.client, { name: 'Gone' });
    const document = await makeDocument(admin.client, customer.id);
    await admin.client.put(`/api/documents/${document.id}`, { description: null });
    await admin.client.delete(`/api/documents/${document.id}`);
    await admin.client.delete(`/api/customers/${customer.id}`);
    const { activity } = await read(`customer_id=${customer.id}`);
    expect(actionsOf(activity)).toEqual([
      'customer.deleted',
      'document.deleted',
      'document.updated',
      'document.uploaded',
      'customer.created',
    ]);
    expect(activity[0]?.changes).toMatchObject({ name: { from: 'Gone', to: null } });
    expect(activity[2]?.changes).toEqual({ description: { from: 'A test document', to: null } });
    expect(await actions(`document_id=${document.id}`)).toHaveLength(3);
  });
});
