import { makeAccount, makeUser, testPassword } from '@customer-database/testkit/factories';
import { login, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

describe('POST /api/auth/login', () => {
  it('returns a token and the user, and nothing else', async () => {
    const { id, email, name } = await makeAccount(app, 'staff');
    const answer = await login(app, email);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['token', 'user']);
    expect(answer.body.user).toEqual({
      id,
      email,
      name,
      phone_number: null,
      role: 'staff',
      mfa_enabled: false,
    });
    const verified = await app.client(answer.body.token).get('/api/auth/verify');
    expect([verified.status, verified.body]).toEqual([200, { user: answer.body.user }]);
  });

  it('accepts an email in any case and with surrounding blanks', async () => {
    const { id, email } = await makeAccount(app, 'staff');
    const answer = await login(app, `  ${email.toUpperCase()} `);
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ id, email });
  });

  // The rules of an email are the same for every call that takes one.
  const unknown = 'unknown@example.com';
  it.each([
    [{ password: testPassword }, 'email', 'Email is required'],
    [{ email: '  ', password: testPassword }, 'email', 'Email is required'],
    [{ email: 'unknown', password: testPassword }, 'email', 'Invalid email address'],
    [{ email: 'a@', password: testPassword }, 'email', 'Invalid email address'],
    [{ email: 'a@b.de,c@d.de', password: testPassword }, 'email', 'Invalid email address'],
    [{ email: 'a b@c.de', password: testPassword }, 'email', 'Invalid email address'],
    [{ email: unknown }, 'password', 'Password is required'],
    [{ email: unknown, password: '' }, 'password', 'Password is required'],
    [{ email: unknown, password: null }, 'password', 'Password is required'],
    [{ email: unknown, password: '12345' }, 'password', 'Password must be at least 6 characters'],
  ])('refuses %j with the text of its field', async (body, field, text) => {
    const answer = await app.client().post('/api/auth/login', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, code: 'VALIDATION_FAILED', fields: { [field]: text } });
  });

  it('names every invalid field', async () => {
    const answer = await app.client().post('/api/auth/login', {});
    expect(answer.body.fields).toEqual({ email: 'Email is required', password: 'Password is required' });
  });

  it('checks passwords of six characters', async () => {
    expect((await login(app, unknown, '123456')).status).toBe(401);
  });

  it.each([
    ['a list for the password', { password: [testPassword] }],
    ['an object for the password', { password: { $ne: '' } }],
    ['a list for the email', { email: ['a@b.de'] }],
    ['a number for the password', { password: 123456 }],
    ['an unknown field', { role: 'admin' }],
    ['a password with a NUL byte', { password: `${testPassword}\0` }],
    ['a password of 1,025 characters', { password: 'x'.repeat(1025) }],
  ])('refuses %s', async (_case, changes) => {
    const body = { email: unknown, password: testPassword, ...changes };
    const answer = await app.client().post('/api/auth/login', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual(Object.keys(changes));
  });

  it('logs every sign-in and every failure as activity', async () => {
    const { id, email } = await makeAccount(app, 'staff');
    await login(app, email, wrongPassword);
    await login(app, email);
    const { rows } = await app.pool.query(
      'select action, actor_id, subject_label, address, detail from activity where subject_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([
      {
        action: 'sign_in.failed',
        actor_id: null,
        subject_label: email,
        address: '127.0.0.1',
        detail: { factor: 'password' },
      },
      {
        action: 'sign_in.succeeded',
        actor_id: id,
        subject_label: email,
        address: '127.0.0.1',
        detail: null,
      },
    ]);
  });

  it('requires the internal-access header where the secret is set', async () => {
    const guarded = await startTestApp({ env: { INTERNAL_ACCESS_SECRET: 'only-for-people-inside' } });
    const { email } = await makeAccount(guarded, 'staff');
    const attempt = (headers: Record<string, string>) =>
      guarded.client().post('/api/auth/login', { email, password: testPassword }, headers);
    for (const headers of [{}, { 'x-internal-access': 'something else' }]) {
      const answer = await attempt(headers as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe('INTERNAL_ACCESS_REQUIRED');
    }
    const inside = { 'x-internal-access': 'only-for-people-inside' };
    const { body } = await attempt(inside);
    const { secret } = await enableMfa(guarded, { client: guarded.client(body.token) });
    const { mfa_token } = (await attempt(inside)).body;
    const finish = (headers: Record<string, string>) => {
      const code = nextTotpCode(guarded, secret);
      return guarded.client().post('/api/auth/mfa/verify-login', { mfa_token, code }, headers);
    };
    expect((await finish({})).body.code).toBe('INTERNAL_ACCESS_REQUIRED');
    expect((await finish(inside)).status).toBe(200);
  });
});

describe('POST /api/auth/logout', () => {
  it('ends the session at once on every instance, and no other session', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl });
    const user = await makeUser(app, 'staff');
    const elsewhere = (await login(app, user.email)).body.token;
    expect((await other.client(user.token).get('/api/auth/verify')).status).toBe(200);
    const answer = await user.client.post('/api/auth/logout');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Signed out successfully' });
    expect((await other.client(user.token).get('/api/auth/verify')).status).toBe(401);
    expect((await user.client.get('/api/customers')).status).toBe(401);
    expect((await user.client.post('/api/auth/logout')).status).toBe(401);
    expect((await app.client(elsewhere).get('/api/auth/verify')).status).toBe(200);
    await other.close();
  });
});
