import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import type { Client } from '@customer-database/testkit/client';
import { makeUser, type TestUser, unique } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { login } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';
import { resetPassword } from '../../src/modules/accounts/users/reset-credentials.ts';

const day = 24 * 3_600_000;
const taken = 'A user with this email already exists';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
});

const newEmail = () => `${unique('invited')}@example.com`;

/** Signs in first, because tests here move the clock by days. */
async function invite(email: string, more: Record<string, unknown> = {}) {
  const { token } = (await login(app, admin.email)).body;
  return app.client(token).post('/api/auth/invite', { email, ...more });
}

const statusOf = async (email: string, password: string) => (await login(app, email, password)).status;

describe('POST /api/auth/invite without a mail server', () => {
  it('creates the account and returns the temporary password', async () => {
    const email = newEmail();
    const answer = await invite(email.toUpperCase(), { name: 'Zoë Ångström', role: 'admin' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: 'Invitation sent successfully',
      user: {
        id: expect.any(Number),
        name: 'Zoë Ångström',
        email,
        phone_number: null,
        role: 'admin',
        mfa_enabled: false,
      },
      delivery: 'handover',
      temporary_password: expect.stringMatching(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/),
    });
    const session = await login(app, email, answer.body.temporary_password);
    expect(session.status).toBe(200);
    expect(session.body).toMatchObject({ user: answer.body.user, require_password_change: true });
  });

  it('invites staff by default, named after their email address', async () => {
    const email = newEmail();
    for (const more of [{}, { name: null }, { name: '  ' }]) {
      const { user } = (await invite(email, more)).body;
      expect(user).toMatchObject({ role: 'staff', name: email.split('@')[0] });
    }
  });

  it.each([
    [{ email: undefined }, 'Email is required'],
    [{ email: 'a，b@example.com' }, 'Invalid email address'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'Email must be a single line of text'],
    [{ name: 'Eve\r\nBcc: b@example.com' }, 'Name must be a single line of text'],
    [{ role: 'owner' }, 'Role must be staff or admin'],
    [{ role: null }, 'Role must be staff or admin'],
    [{ password: 'my own choice' }, 'password is not a field that can be set here'],
  ])('refuses %j', async (changes, text) => {
    const answer = await admin.client.post('/api/auth/invite', { email: newEmail(), ...changes });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, fields: { [Object.keys(changes)[0] ?? '']: text } });
  });

  it('refuses the email of a user, in any case', async () => {
    const refused = { error: taken, code: 'EMAIL_TAKEN', fields: { email: taken } };
    const answer = await invite(staff.email.toUpperCase(), { role: 'admin' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject(refused);
    expect((await staff.client.get('/api/auth/verify')).body.user.role).toBe('staff');
  });

  it('requires a recently confirmed session for either role, and refuses API tokens', async () => {
    const boss = await makeUser(app, 'admin');
    const created = await boss.client.post('/api/auth/tokens', { name: 'Invites', scope: 'admin' });
    const open = (await boss.client.post('/api/auth/invite', { email: newEmail() })).body.user;
    app.clock.advance(16 * 60_000);
    const token = app.client(created.body.token);
    const ways = [
      (client: Client) => client.post('/api/auth/invite', { email: newEmail() }),
      (client: Client) => client.post('/api/auth/invite', { email: open.email, role: 'admin' }),
      (client: Client) => client.post(`/api/users/${open.id}/resend-invitation`),
    ];
    for (const invitation of ways) {
      expectProblem(await invitation(boss.client), 403, 'CONFIRMATION_REQUIRED');
      expectProblem(await invitation(token), 403, 'FORBIDDEN');
    }
    expect((await boss.client.get(`/api/users/${open.id}`)).body.user).toMatchObject({ role: 'staff' });
  });

  it('is logged without the password', async () => {
    const email = newEmail();
    const { user, temporary_password } = (await invite(email)).body;
    const { rows } = await app.pool.query(
      'select action, actor_id, subject_label, detail from activity where subject_id = $1',
      [user.id],
    );
    expect(rows).toEqual([
      {
        action: 'user.invited',
        actor_id: admin.id,
        subject_label: email,
        detail: { role: 'staff', again: false },
      },
    ]);
    expect(app.logs()).not.toContain(temporary_password);
  });
});

describe('a temporary password', () => {
  it('works for seven days', async () => {
    const [onTime, late] = [newEmail(), newEmail()];
    const passwords = await Promise.all([invite(onTime), invite(late)]);
    const [good, expired] = passwords.map((answer) => answer.body.temporary_password);
    app.clock.advance(7 * day - 60_000);
    expect(await statusOf(onTime, good)).toBe(200);
    app.clock.advance(61_000);
    expect(await statusOf(late, expired)).toBe(401);
    // Using it does not extend its life.
    expect(await statusOf(onTime, good)).toBe(401);
  });

  it('stops working once the user has chosen a password, which does not expire', async () => {
    const email = newEmail();
    const { temporary_password } = (await invite(email)).body;
    const { token } = (await login(app, email, temporary_password)).body;
    const body = { currentPassword: temporary_password, newPassword: 'my own choice' };
    expect((await app.client(token).put('/api/auth/change-password', body)).status).toBe(200);
    expect(await statusOf(email, temporary_password)).toBe(401);
    app.clock.advance(8 * day);
    const session = await login(app, email, 'my own choice');
    expect(session.status).toBe(200);
    expect(session.body).not.toHaveProperty('require_password_change');
  });
});

describe('inviting a user again', () => {
  it('who never signed in replaces the password', async () => {
    const email = newEmail();
    const first = (await invite(email, { name: 'First', role: 'admin' })).body;
    app.clock.advance(8 * day);
    const since = await lastActivityId(app);
    const second = await invite(email, { name: 'Second' });
    expect(second.status).toBe(201);
    expect(second.body.user).toEqual({ ...first.user, name: 'Second', role: 'staff' });
    const invited = await activitySince(app, since);
    expect(invited.filter(({ subject_id }) => subject_id === first.user.id)).toMatchObject([
      { action: 'user.updated', changes: { name: { from: 'First', to: 'Second' } } },
      { action: 'user.role_changed', actor_id: admin.id, changes: { role: { from: 'admin', to: 'staff' } } },
      { action: 'user.invited', detail: { role: 'staff', again: true } },
    ]);
    expect(await statusOf(email, first.temporary_password)).toBe(401);
    expect(await statusOf(email, second.body.temporary_password)).toBe(200);
  });

  it('who signed in but never chose a password replaces it and ends their session', async () => {
    const email = newEmail();
    const first = (await invite(email)).body.temporary_password;
    const session = app.client((await login(app, email, first)).body.token);
    const again = await invite(email, { role: 'admin' });
    expect(again.status).toBe(201);
    expect((await session.get('/api/auth/verify')).status).toBe(401);
    expect(await statusOf(email, first)).toBe(401);
    expect((await login(app, email, again.body.temporary_password)).body.user.role).toBe('admin');
  });

  it('who chose a password is refused and changes nothing, also after a reset', async () => {
    const email = newEmail();
    const { temporary_password, user } = (await invite(email)).body;
    const session = app.client((await login(app, email, temporary_password)).body.token);
    const change = { currentPassword: temporary_password, newPassword: 'my own choice' };
    expect((await session.put('/api/auth/change-password', change)).status).toBe(200);
    expect((await invite(email, { role: 'admin' })).body.error).toBe(taken);
    const given = await resetPassword(systemContext(app.deps), user.id);
    const answer = await invite(email, { role: 'admin' });
    expect(answer.status).toBe(409);
    expect(answer.body.error).toBe(taken);
    expect((await login(app, email, given)).body.user.role).toBe('staff');
    app.clock.advance(7 * day + 1000);
    expect((await invite(email, { role: 'admin', name: 'Other' })).status).toBe(409);
    const boss = app.client((await login(app, admin.email)).body.token);
    const again = await boss.post(`/api/users/${user.id}/resend-invitation`);
    expect(again.body.user).toMatchObject({ role: 'staff', name: user.name });
  });

  it('who concurrently chooses a password leaves one of the two passwords', async () => {
    const email = newEmail();
    const first = (await invite(email)).body.temporary_password;
    const session = app.client((await login(app, email, first)).body.token);
    const change = { currentPassword: first, newPassword: 'my own choice' };
    const [changed, again] = await Promise.all([
      session.put('/api/auth/change-password', change),
      invite(email),
    ]);
    expect([changed.status === 200, again.status === 201]).toContain(true);
    expect(changed.status === 200 && again.status === 201).toBe(false);
    expect(await statusOf(email, 'my own choice')).toBe(changed.status === 200 ? 200 : 401);
  });

  it('who was disabled is refused', async () => {
    const email = newEmail();
    const { user } = (await invite(email)).body;
    await setUserDisabled(systemContext(app.deps), user.id, true);
    expect((await invite(email)).status).toBe(409);
  });

  it('concurrently creates one account with one working password', async () => {
    for (const email of [newEmail(), newEmail()]) {
      const tokens = await Promise.all([1, 2, 3].map(async () => (await login(app, admin.email)).body.token));
      const answers = await Promise.all(
        tokens.map((token) => app.client(token).post('/api/auth/invite', { email })),
      );
      for (const answer of answers) expect([201, 409]).toContain(answer.status);
      const passwords = answers.flatMap((answer) => answer.body.temporary_password ?? []);
      const statuses = await Promise.all(passwords.map((password) => statusOf(email, password)));
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const { rows } = await app.pool.query('select id from users where email = $1', [email]);
      expect(rows).toHaveLength(1);
    }
  });
});
