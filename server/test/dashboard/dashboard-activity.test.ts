import { fieldsOf, issueLink } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin', { name: 'Ada Admin' });
  staff = await makeUser(app, 'staff', { name: 'Sam Staff' });
});

beforeEach(() => app.clock.set(new Date()));

describe('Documents of this month', () => {
  const uploadedThisMonth = async (of = staff) =>
    (await of.client.get('/api/dashboard')).body.documents_this_month;

  it("are those of the calendar month in the server's time zone", async () => {
    const { id } = await makeCustomer(admin.client);
    app.clock.set('2025-05-31T21:59:40Z');
    await makeDocument(admin.client, id);
    expect(await uploadedThisMonth()).toBe(1);
    app.clock.set('2025-05-31T22:00:05Z');
    expect(await uploadedThisMonth()).toBe(0);
    await makeDocument(admin.client, id);
    const third = await makeDocument(admin.client, id);
    expect(await uploadedThisMonth()).toBe(2);
    app.clock.set('2025-06-30T21:59:00Z');
    expect(await uploadedThisMonth()).toBe(2);
    await admin.client.delete(`/api/documents/${third.id}`);
    expect(await uploadedThisMonth()).toBe(1);
    app.clock.set('2025-06-30T22:00:00Z');
    expect(await uploadedThisMonth()).toBe(0);
  });

  it('are exact in a time zone with a quarter-hour offset', async () => {
    const kathmandu = await startTestApp({ env: { TIME_ZONE: 'Asia/Kathmandu' } });
    const boss = await makeUser(kathmandu, 'admin');
    const { id } = await makeCustomer(boss.client);
    kathmandu.clock.set('2025-05-31T18:14:40Z');
    await makeDocument(boss.client, id);
    expect(await uploadedThisMonth(boss)).toBe(1);
    kathmandu.clock.set('2025-05-31T18:15:05Z');
    expect(await uploadedThisMonth(boss)).toBe(0);
    await makeDocument(boss.client, id);
    expect(await uploadedThisMonth(boss)).toBe(1);
  });
});

describe('Recent activity', () => {
  const recent = async () => (await staff.client.get('/api/dashboard')).body.recent_activity;

  it('shows the latest ten changes, newest first, with who and what', async () => {
    for (let earlier = 0; earlier < 6; earlier += 1) await makeCustomer(admin.client);
    const customer = await makeCustomer(admin.client, { name: 'Carla Customer' });
    await admin.client.put(`/api/customers/${customer.id}`, { city: 'Bonn' });
    const document = await makeDocument(admin.client, customer.id);
    await admin.client.delete(`/api/documents/${document.id}`);
    const { body } = await admin.client.post('/api/auth/invite', { email: 'new@example.com', name: 'New' });
    const items = await recent();
    expect(items).toHaveLength(10);
    expect(items.slice(0, 5)).toMatchObject([
      { action: 'user.invited', subject_type: 'user', subject_id: body.user.id },
      { action: 'document.deleted', subject_type: 'document', subject_label: 'document.pdf' },
      { action: 'document.uploaded', subject_type: 'document', subject_id: document.id },
      { action: 'customer.updated', subject_type: 'customer', subject_label: 'Carla Customer' },
      { action: 'customer.created', subject_type: 'customer', subject_id: customer.id },
    ]);
    for (const item of items) {
      expect(item.actor_name).toBe('Ada Admin');
      expect(fieldsOf(item)).toEqual([
        'action',
        'actor_name',
        'at',
        'id',
        'subject_id',
        'subject_label',
        'subject_type',
      ]);
    }
    const ids = items.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  it('does not show sign-ins, failures, denials or reads', async () => {
    const document = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
    const before = await recent();
    await makeUser(app, 'staff');
    await app.client().post('/api/auth/login', { email: staff.email, password: 'wrong password' });
    await staff.client.delete(`/api/documents/${document.id}`);
    await fetch(await issueLink(staff.client, document.id, 'view'));
    await admin.client.put('/api/auth/profile', { phone_number: '030 1' });
    expect(await recent()).toEqual(before);
  });
});
