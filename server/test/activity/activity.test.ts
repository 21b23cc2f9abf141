import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import type { Answer } from '@customer-database/testkit/client';
import { issueLink } from '@customer-database/testkit/documents';
import {
  customerFields,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  testPassword,
  uploadBody,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, wrongTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin', { name: 'Ada Admin' });
  staff = await makeUser(app, 'staff', { name: 'Sam Staff' });
});

type Expected = {
  action: string;
  actor: { id: number | null; name: string };
  subject: { type: string; id: number | null; label: string | null };
  customerId?: number | null;
  detail?: Record<string, unknown>;
  changes?: Record<string, { from: unknown; to: unknown }>;
};

const asActor = ({ id, name }: TestUser) => ({ id, name });
const withoutSession = { id: null, name: 'not signed in' };

/** Expects exactly one new row, with who, what, when and from where. */
async function expectRow(act: () => Promise<Answer>, expected: (answer: Answer) => Expected): Promise<void> {
  const before = await lastActivityId(app);
  const since = app.clock.now();
  const answer = await act();
  const rows = await activitySince(app, before);
  const { action, actor, subject, customerId = null, detail, changes = null } = expected(answer);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action,
    actor_id: actor.id,
    actor_label: actor.name,
    subject_type: subject.type,
    subject_id: subject.id,
    subject_label: subject.label,
    customer_id: customerId,
    changes,
    address: '127.0.0.1',
    request_id: answer.headers.get('x-request-id'),
    ...(detail && { detail: expect.objectContaining(detail) }),
  });
  const at = rows[0]?.at.getTime() ?? 0;
  expect(at).toBeGreaterThanOrEqual(since.getTime());
  expect(at).toBeLessThanOrEqual(app.clock.now().getTime());
}

describe('A row is written when', () => {
  it('a customer is created, changed and deleted', async () => {
    const fields = customerFields({ province: '', country: null });
    let id = 0;
    const expected = (action: string, changes: Expected['changes']) => () => ({
      action,
      actor: asActor(admin),
      subject: { type: 'customer', id, label: fields.name },
      customerId: id,
      changes,
    });
    const { province: _province, country: _country, ...given } = fields;
    const each = (change: (value: string) => { from: unknown; to: unknown }) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, change(value)]));
    await expectRow(
      () => admin.client.post('/api/customers', fields),
      ({ body }) => {
        id = body.customer.id;
        return expected(
          'customer.created',
          each((to) => ({ from: null, to })),
        )();
      },
    );
    await expectRow(
      () =>
        admin.client.put(`/api/customers/${id}`, { city: 'Bonn', phone_number: null, email: fields.email }),
      expected('customer.updated', {
        city: { from: 'Berlin', to: 'Bonn' },
        phone_number: { from: fields.phone_number, to: null },
      }),
    );
    await expectRow(
      () => admin.client.put(`/api/customers/${id}`, { city: 'Bonn' }),
      expected('customer.updated', {}),
    );
    await admin.client.put(`/api/customers/${id}`, { city: 'Berlin', phone_number: fields.phone_number });
    await expectRow(
      () => admin.client.delete(`/api/customers/${id}`),
      expected(
        'customer.deleted',
        each((from) => ({ from, to: null })),
      ),
    );
  });

  it('a document is uploaded, linked to and deleted', async () => {
    const customer = await makeCustomer(admin.client);
    let id = 0;
    const expected = (action: string, actor: TestUser, detail: Record<string, unknown>) => () => ({
      action,
      actor: asActor(actor),
      subject: { type: 'document', id, label: 'document.pdf' },
      customerId: customer.id,
      detail,
    });
    await expectRow(
      () => admin.client.post('/api/documents', uploadBody(customer.id)),
      ({ body }) => {
        id = body.document.id;
        return expected('document.uploaded', admin, { customer_id: customer.id })();
      },
    );
    for (const purpose of ['download', 'view']) {
      await expectRow(
        () => staff.client.get(`/api/documents/${id}/${purpose}`),
        expected('document.link_issued', staff, { purpose }),
      );
    }
    await expectRow(
      () => admin.client.delete(`/api/documents/${id}`),
      expected('document.deleted', admin, { customer_id: customer.id, customer_name: customer.name }),
    );
  });

  it('a document is fetched through a link: whole, in part or by HEAD', async () => {
    const customerId = (await makeCustomer(admin.client)).id;
    const { id } = await makeDocument(admin.client, customerId);
    for (const [purpose, action] of [
      ['download', 'document.downloaded'],
      ['view', 'document.viewed'],
    ] as const) {
      const url = await issueLink(staff.client, id, purpose);
      const fetched = (detail: Record<string, unknown>) => () => ({
        action,
        actor: asActor(staff),
        subject: { type: 'document', id, label: 'document.pdf' },
        customerId,
        detail,
      });
      await expectRow(() => app.client().get(url), fetched({ method: 'GET' }));
      await expectRow(() => app.client().send(url, { method: 'HEAD' }), fetched({ method: 'HEAD' }));
      await expectRow(() => app.client().get(url, { range: 'bytes=0-9' }), fetched({ range: 'bytes=0-9' }));
    }
  });

  it('a link is refused because it expired, its user is disabled or the document is deleted', async () => {
    const customerId = (await makeCustomer(admin.client)).id;
    const leaver = await makeUser(app, 'staff', { name: 'Lee Leaver' });
    const refused = async (user: TestUser, id: number, kill: () => Promise<unknown>) => {
      const url = await issueLink(user.client, id, 'view');
      await kill();
      const isDeleted = (await admin.client.get(`/api/documents/${id}`)).status === 404;
      await expectRow(
        () => app.client().get(url),
        ({ status }) => {
          expect(status).toBe(403);
          return {
            action: 'link.refused',
            actor: asActor(user),
            subject: { type: 'document', id, label: isDeleted ? null : 'document.pdf' },
            customerId: isDeleted ? null : customerId,
            detail: { purpose: 'view' },
          };
        },
      );
    };
    const { id } = await makeDocument(admin.client, customerId);
    await refused(leaver, id, () => setUserDisabled(systemContext(app.deps), leaver.id, true));
    await refused(staff, id, () => admin.client.delete(`/api/documents/${id}`));
    await refused(staff, (await makeDocument(admin.client, customerId)).id, async () =>
      app.clock.advance(16 * 60_000),
    );
  });

  it('a user signs in, fails to sign in, or signs out', async () => {
    const subject = { type: 'user', id: staff.id, label: staff.email };
    const login = (email: string, password: string) => () =>
      app.client().post('/api/auth/login', { email, password });
    let token = '';
    await expectRow(login(staff.email, testPassword), ({ body }) => {
      token = body.token;
      return { action: 'sign_in.succeeded', actor: asActor(staff), subject };
    });
    await expectRow(login(staff.email, 'wrong password'), () => ({
      action: 'sign_in.failed',
      actor: withoutSession,
      subject,
      detail: { factor: 'password' },
    }));
    await expectRow(login('stranger@example.com', 'wrong password'), () => ({
      action: 'sign_in.failed',
      actor: withoutSession,
      subject: { type: 'user', id: null, label: 'stranger@example.com' },
    }));
    await expectRow(
      () => app.client(token).post('/api/auth/logout'),
      () => ({ action: 'sign_out', actor: asActor(staff), subject }),
    );
  });

  it('a call is refused by role', async () => {
    const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
    await expectRow(
      () => staff.client.delete(`/api/documents/${id}`),
      ({ status }) => {
        expect(status).toBe(403);
        const subject = { type: 'route', id: null, label: 'DELETE /api/documents/:id' };
        return { action: 'access.denied', actor: asActor(staff), subject };
      },
    );
  });

  it("an account changes, or its owner's proof fails", async () => {
    const user = await makeUser(app, 'staff', { name: 'Una User' });
    const subject = { type: 'user', id: user.id, label: user.email };
    const expected = (action: string, facts?: Pick<Expected, 'detail' | 'changes'>) => () => ({
      action,
      actor: asActor(user),
      subject,
      ...facts,
    });
    const changePassword = (currentPassword: string) => () =>
      user.client.put('/api/auth/change-password', {
        currentPassword,
        newPassword: 'a brand new passphrase',
      });
    await expectRow(
      () => user.client.put('/api/auth/profile', { phone_number: '030 1' }),
      expected('user.updated', { changes: { phone_number: { from: null, to: '030 1' } } }),
    );
    await expectRow(
      changePassword('not the password'),
      expected('credential.refused', { detail: { factor: 'password' } }),
    );
    await expectRow(changePassword(testPassword), expected('password.changed'));
    const { secret } = (await user.client.post('/api/auth/mfa/setup/start')).body;
    const code = wrongTotpCode(secret, app.clock.now());
    await expectRow(
      () => user.client.post('/api/auth/mfa/setup/verify', { code }),
      expected('credential.refused', { detail: { factor: 'mfa' } }),
    );
    const before = await lastActivityId(app);
    const { recoveryCodes } = await enableMfa(app, user);
    expect((await activitySince(app, before)).map(({ action }) => action)).toEqual(['mfa.enabled']);
    const disable = { password: 'a brand new passphrase', code: recoveryCodes[0] };
    await expectRow(() => user.client.post('/api/auth/mfa/disable', disable), expected('mfa.disabled'));
  });

  it('a user is invited', async () => {
    const invitation = { email: 'invited@example.com', name: 'Ivy Invited', role: 'staff' };
    const inviting = await makeUser(app, 'admin');
    await expectRow(
      () => inviting.client.post('/api/auth/invite', invitation),
      ({ body }) => ({
        action: 'user.invited',
        actor: asActor(inviting),
        subject: { type: 'user', id: body.user.id, label: invitation.email },
      }),
    );
  });
});
