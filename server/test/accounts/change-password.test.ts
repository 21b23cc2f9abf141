import { makeUser, type TestUser, testPassword, unique } from '@customer-database/testkit/factories';
import { whileHolding } from '@customer-database/testkit/locks';
import { login, mfaToken, verifyLogin, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/crypto/passwords.ts';

let app: TestApp;
/** The user whose attempts fail. */
let refused: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  refused = await makeUser(app, 'staff');
});

const newPassword = 'a completely new password';

const change = (user: TestUser, body: Record<string, unknown> = {}) =>
  user.client.put('/api/auth/change-password', { currentPassword: testPassword, newPassword, ...body });

describe('PUT /api/auth/change-password', () => {
  it("replaces the password and ends the user's other sessions, not this one", async () => {
    const user = await makeUser(app, 'staff');
    const elsewhere = app.client((await login(app, user.email)).body.token);
    const answer = await change(user);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Password changed successfully' });
    expect((await elsewhere.get('/api/auth/verify')).status).toBe(401);
    expect((await user.client.get('/api/auth/verify')).status).toBe(200);
    expect((await login(app, user.email)).status).toBe(401);
    expect((await login(app, user.email, newPassword)).status).toBe(200);
    const { rows } = await app.pool.query(
      "select subject_id, detail from activity where action = 'password.changed' and actor_id = $1",
      [user.id],
    );
    expect(rows).toEqual([{ subject_id: user.id, detail: null }]);
  });

  it('lifts the restriction of a temporary password in the same session', async () => {
    const admin = await makeUser(app, 'admin');
    const email = `${unique('new')}@example.com`;
    const currentPassword = (await admin.client.post('/api/auth/invite', { email })).body.temporary_password;
    const session = await login(app, email, currentPassword);
    expect(session.body.require_password_change).toBe(true);
    const client = app.client(session.body.token);
    const changeTo = (chosen: string) =>
      client.put('/api/auth/change-password', { currentPassword, newPassword: chosen });
    expect((await changeTo(currentPassword)).status).toBe(400);
    const refused = await client.get('/api/customers');
    expect(refused.status).toBe(403);
    expect(refused.body.error).toBe('Please change your password first');
    expect((await changeTo(newPassword)).status).toBe(200);
    expect((await client.get('/api/customers')).status).toBe(200);
    expect((await login(app, email, newPassword)).body).not.toHaveProperty('require_password_change');
  });

  it('returns 400 for a wrong current password and keeps the session', async () => {
    const user = await makeUser(app, 'staff');
    const text = 'The current password is not correct';
    for (const currentPassword of [wrongPassword, '12345', `${testPassword} `]) {
      const answer = await change(user, { currentPassword });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: text, fields: { currentPassword: text } });
    }
    expect((await user.client.get('/api/auth/verify')).status).toBe(200);
    expect((await login(app, user.email)).status).toBe(200);
  });

  it.each([
    [{ currentPassword: undefined }, 'All fields are required'],
    [{ currentPassword: '' }, 'All fields are required'],
    [{ newPassword: undefined }, 'All fields are required'],
    [{ newPassword: '' }, 'All fields are required'],
    [{ newPassword: '12345' }, 'New password must be at least 6 characters'],
    [{ newPassword: '👍👍👍' }, 'New password must be at least 6 characters'],
    [{ newPassword: 'password' }, 'This password is too common. Please choose another one.'],
    [{ newPassword: testPassword }, 'New password must be different from the current one'],
    [
      // Full-width letters, as Chinese and Japanese keyboards write them, are equal in the normalised form that is hashed.
      { newPassword: testPassword.replace('correct', 'ｃｏｒｒｅｃｔ') },
      'New password must be different from the current one',
    ],
    [{ confirmPassword: newPassword }, 'confirmPassword is not a field that can be set here'],
  ])('refuses %j', async (body, text) => {
    const answer = await change(refused, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, fields: { [Object.keys(body)[0] ?? '']: text } });
  });

  it('ends a sign-in with the old password that still waits for its code', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const waiting = await mfaToken(app, user.email);
    expect((await change(user)).status).toBe(200);
    const answer = await verifyLogin(app, waiting, nextTotpCode(app, secret));
    expect(answer.status).toBe(401);
    expect(answer.body).not.toHaveProperty('token');
  });

  it('leaves no session to a concurrent sign-in with the old password', async () => {
    const user = await makeUser(app, 'staff');
    const hash = await hashPassword(newPassword);
    const [late] = await whileHolding(
      app.pool,
      (client) => client.query('update users set password_hash = $1 where id = $2', [hash, user.id]),
      () => [login(app, user.email)],
    );
    expect(late?.status).toBe(401);
    expect((await login(app, user.email, newPassword)).status).toBe(200);
  });
});
