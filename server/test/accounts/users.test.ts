import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import type { Answer } from '@customer-database/testkit/client';
import { makeUser, type TestUser, testPassword, unique } from '@customer-database/testkit/factories';
import { whileHolding } from '@customer-database/testkit/locks';
import { login } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';

const day = 24 * 3_600_000;

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

async function invite(more: Record<string, unknown> = {}) {
  const { body } = await admin.client.post('/api/auth/invite', {
    email: `${unique('invited')}@example.com`,
    ...more,
  });
  return { ...body.user, password: body.temporary_password };
}

const act = (id: number, action: string, as = admin): Promise<Answer> =>
  as.client.post(`/api/users/${id}/${action}`);
const userOf = async (id: number) => (await admin.client.get(`/api/users/${id}`)).body.user;
const list = async (query: Record<string, string>, as = admin) =>
  (await as.client.get(`/api/users?${new URLSearchParams(query)}`)).body;
const isAlive = async (user: TestUser) => (await user.client.get('/api/auth/verify')).status === 200;

describe('GET /api/users', () => {
  it('lists the state, the factors and the last use of every account', async () => {
    const server = await startTestApp();
    const boss = await makeUser(server, 'admin', { name: 'Zoë' });
    const colleague = await makeUser(server, 'staff', { name: 'adam' });
    await enableMfa(server, colleague);
    await boss.client.post('/api/auth/invite', { email: 'new@example.com', name: 'Bea', role: 'admin' });
    const created = server.clock.now().toISOString().slice(0, 10);
    const { body } = await boss.client.get('/api/users');
    expect(body).toMatchObject({ count: 3, total: 3, totalPages: 1 });
    expect(body.users).toEqual([
      {
        id: colleague.id,
        name: 'adam',
        email: colleague.email,
        phone_number: null,
        role: 'staff',
        mfa_enabled: true,
        passkeys: 0,
        state: 'active',
        expires_at: null,
        last_seen_at: expect.stringContaining(created),
        created_at: expect.stringContaining(created),
      },
      expect.objectContaining({
        name: 'Bea',
        role: 'admin',
        mfa_enabled: false,
        state: 'invited',
        expires_at: expect.stringMatching(/Z$/),
        last_seen_at: null,
      }),
      expect.objectContaining({ name: 'Zoë', state: 'active' }),
    ]);
  });

  it('finds any part of a name or an email, and takes wildcards literally', async () => {
    const tag = unique('find');
    const { id } = await invite({ email: `${tag}@example.com`, name: `Ängström 100% ${tag}` });
    for (const q of [tag, tag.toUpperCase(), `angstrom 100% ${tag}`, `${tag}@EXAMPLE`]) {
      expect(
        (await list({ q })).users.map((user: TestUser) => user.id),
        q,
      ).toEqual([id]);
    }
    for (const q of [`${tag}%`, `%${tag}`, `_${tag}`]) expect((await list({ q })).total, q).toBe(0);
  });

  it('sorts by every column in both directions, and pages without gaps', async () => {
    const server = await startTestApp();
    const boss = await makeUser(server, 'admin', { name: 'M' });
    for (const name of ['b', 'A', 'c']) await makeUser(server, 'staff', { name });
    const namesOf = async (query: Record<string, string>) =>
      (await list(query, boss)).users.map((user: TestUser) => user.name);
    expect(await namesOf({})).toEqual(['A', 'b', 'c', 'M']);
    expect(await namesOf({ order: 'desc' })).toEqual(['M', 'c', 'b', 'A']);
    expect(await namesOf({ sort: 'role' })).toEqual(['M', 'b', 'A', 'c']);
    for (const sort of ['email', 'state', 'mfa_enabled', 'last_seen_at'])
      expect((await namesOf({ sort, order: 'desc' })).sort()).toEqual(['A', 'M', 'b', 'c']);
    const pages = await Promise.all(['1', '2', '3'].map((page) => namesOf({ page, limit: '2' })));
    expect(pages).toEqual([['A', 'b'], ['c', 'M'], []]);
    expect(await list({ page: '2', limit: '3' }, boss)).toMatchObject({ count: 1, total: 4, totalPages: 2 });
  });

  it.each([
    ['sort=password', 'sort', 'Sort must be one of'],
    ['order=up', 'order', 'Order must be asc or desc'],
    ['limit=201', 'limit', 'limit must be a whole number from 1 to 200'],
    ['role=admin', 'role', 'role is not a field'],
  ])('refuses %s', async (query, field, text) => {
    const answer = await admin.client.get(`/api/users?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.fields[field]).toContain(text);
  });
});

describe('PUT /api/users/{id}', () => {
  it('changes name and role, from the next request on, and logs both', async () => {
    const user = await makeUser(app, 'staff');
    const since = await lastActivityId(app);
    const answer = await admin.client.put(`/api/users/${user.id}`, { name: 'New name', role: 'admin' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      message: 'User updated successfully',
      user: { id: user.id, name: 'New name', role: 'admin' },
    });
    expect((await user.client.get('/api/users')).status).toBe(200);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'user.updated', actor_id: admin.id, subject_id: user.id },
      { action: 'user.role_changed', actor_id: admin.id, subject_id: user.id },
    ]);
  });

  it('refuses what may not be set here', async () => {
    const user = await makeUser(app, 'staff');
    for (const field of ['email', 'password', 'disabled_at', 'mfa_enabled']) {
      const answer = await admin.client.put(`/api/users/${user.id}`, { [field]: 'x' });
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual({ [field]: `${field} is not a field that can be set here` });
    }
  });
});

describe('an invitation', () => {
  it('is sent again with a new password, which voids the old one', async () => {
    const user = await invite();
    app.clock.advance(8 * day);
    admin = await makeUser(app, 'admin');
    expect(await userOf(user.id)).toMatchObject({ state: 'expired' });
    const answer = await act(user.id, 'resend-invitation');
    expect(answer.body).toMatchObject({
      message: 'Invitation sent successfully',
      delivery: 'handover',
      user: { id: user.id, state: 'invited' },
    });
    expect((await login(app, user.email, user.password)).status).toBe(401);
    expect((await login(app, user.email, answer.body.temporary_password)).status).toBe(200);
  });

  it('can be withdrawn until it is used; the address can be invited again', async () => {
    const user = await invite();
    const since = await lastActivityId(app);
    expect((await act(user.id, 'withdraw-invitation')).status).toBe(200);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'user.invitation_withdrawn', subject_id: user.id, subject_label: user.email },
    ]);
    expect((await login(app, user.email, user.password)).status).toBe(401);
    expect((await admin.client.get(`/api/users/${user.id}`)).status).toBe(404);
    const again = await invite({ email: user.email });
    await login(app, again.email, again.password);
    const refused = await act(again.id, 'withdraw-invitation');
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('This user has signed in already, so the account can only be disabled');
  });

  it('is either used or withdrawn when both happen concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await invite();
      const [withdrawn, session] = await whileHolding(
        app.pool,
        (client) => client.query('select from users where id = $1 for update', [user.id]),
        () => [act(user.id, 'withdraw-invitation'), login(app, user.email, user.password)],
      );
      expect([
        [200, 401],
        [409, 200],
      ]).toContainEqual([withdrawn?.status, session?.status]);
    }
  });

  it('can be neither sent again nor withdrawn after the user has joined', async () => {
    const user = await makeUser(app, 'staff');
    for (const action of ['resend-invitation', 'withdraw-invitation']) {
      const refused = await act(user.id, action);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        code: 'NO_OPEN_INVITATION',
        error: 'This user has no open invitation',
      });
    }
  });
});

describe('a user', () => {
  it('who is disabled loses the session for good, and can sign in again once enabled', async () => {
    const user = await makeUser(app, 'staff');
    expect((await act(user.id, 'disable')).body.user.state).toBe('disabled');
    expect(await isAlive(user)).toBe(false);
    expect((await login(app, user.email)).status).toBe(401);
    expect((await act(user.id, 'reset-password')).body.code).toBe('USER_DISABLED');
    expect((await act(user.id, 'enable')).body.user.state).toBe('active');
    expect(await isAlive(user)).toBe(false);
    expect((await login(app, user.email)).status).toBe(200);
  });

  it('who forgot the password gets a temporary one, and must choose another', async () => {
    const user = await makeUser(app, 'staff');
    const answer = await act(user.id, 'reset-password');
    expect(answer.body).toMatchObject({ message: 'Password reset successfully', delivery: 'handover' });
    expect(await isAlive(user)).toBe(false);
    expect((await login(app, user.email, testPassword)).status).toBe(401);
    const session = await login(app, user.email, answer.body.temporary_password);
    expect(session.body).toMatchObject({ require_password_change: true });
  });

  it('who lost the phone signs in with the password alone', async () => {
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    expect((await act(user.id, 'reset-mfa')).body.user.mfa_enabled).toBe(false);
    expect(await isAlive(user)).toBe(false);
    expect((await login(app, user.email)).body.token).toEqual(expect.any(String));
  });

  it('is signed out everywhere', async () => {
    const user = await makeUser(app, 'staff');
    const since = await lastActivityId(app);
    expect((await act(user.id, 'end-sessions')).status).toBe(200);
    expect(await isAlive(user)).toBe(false);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'session.ended', actor_id: admin.id, subject_id: user.id, detail: { which: 'all' } },
    ]);
  });
});

describe('an administrator', () => {
  it('cannot disable or reset the own account here', async () => {
    for (const action of ['disable', 'reset-password', 'reset-mfa']) {
      const refused = await act(admin.id, action);
      expect(refused.status).toBe(409);
      expect(refused.body.code).toBe('OWN_ACCOUNT');
    }
    expect(await isAlive(admin)).toBe(true);
  });

  it('needs a recently confirmed session to change rights', async () => {
    const [boss, user] = [await makeUser(app, 'admin'), await makeUser(app, 'staff')];
    app.clock.advance(16 * 60_000);
    const calls = [
      boss.client.put(`/api/users/${user.id}`, { role: 'admin' }),
      ...['disable', 'enable', 'reset-password', 'reset-mfa'].map((action) => act(user.id, action, boss)),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe('CONFIRMATION_REQUIRED');
    }
    expect((await boss.client.put(`/api/users/${user.id}`, { name: 'Renamed' })).status).toBe(200);
    expect((await boss.client.post('/api/auth/confirm', { password: testPassword })).status).toBe(200);
    expect((await act(user.id, 'disable', boss)).status).toBe(200);
  });

  it('remains when two remove each other concurrently, in any way', async () => {
    const server = await startTestApp();
    for (const [first, second] of [
      ['disable', 'disable'],
      ['demote', 'disable'],
      ['demote', 'demote'],
      ['demote', 'reset-password'],
    ]) {
      await server.pool.query("update users set role = 'staff'");
      const [one, two] = [await makeUser(server, 'admin'), await makeUser(server, 'admin')];
      const remove = (by: TestUser, other: TestUser, how: string | undefined) =>
        how === 'demote'
          ? by.client.put(`/api/users/${other.id}`, { role: 'staff' })
          : act(other.id, String(how), by);
      const answers = await Promise.all([remove(one, two, first), remove(two, one, second)]);
      const statuses = answers.map(({ status }) => status).sort();
      // The slower one is no longer an administrator, or gets the error that the other one is the last.
      expect(statuses[0]).toBe(200);
      expect([401, 403, 409]).toContain(statuses[1]);
      const { rows } = await server.pool.query(
        `select count(*) as admins from users
         where role = 'admin' and disabled_at is null and password_expires_at is null`,
      );
      expect(rows).toEqual([{ admins: 1 }]);
    }
  });
});
