import {
  makeAccount,
  makeUser,
  type TestUser,
  testPassword,
  unique,
} from '@customer-database/testkit/factories';
import { login, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

const userFields = ['email', 'id', 'mfa_enabled', 'name', 'phone_number', 'role'];

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
    expect((await app.client(answer.body.token).get('/api/customers')).status).toBe(200);
  });

  it('accepts an email in any case and with surrounding blanks', async () => {
    const { id, email } = await makeAccount(app, 'staff');
    const answer = await login(app, `  ${email.toUpperCase()} `);
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ id, email });
  });

  it('reports that a temporary password must be changed', async () => {
    const email = `${unique('invited')}@example.com`;
    const invited = await admin.client.post('/api/auth/invite', { email });
    const answer = await login(app, email, invited.body.temporary_password);
    expect(answer.status).toBe(200);
    expect(answer.body.require_password_change).toBe(true);
    expect(answer.body.user.email).toBe(email);
    expect(answer.body.token).toBeTypeOf('string');
  });

  it('asks for a code where MFA is on, and opens no session', async () => {
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    const answer = await login(app, user.email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ mfa_required: true, mfa_token: expect.any(String) });
  });

  it('refuses a wrong password with 401', async () => {
    const answer = await login(app, admin.email, wrongPassword);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: 'Invalid email or password',
      code: 'SIGN_IN_FAILED',
      request_id: expect.any(String),
    });
  });

  const someEmail = 'somebody@example.com';
  it.each([
    ['an absent email', { password: testPassword }, 'email', 'Email is required'],
    ['an empty email', { email: '', password: testPassword }, 'email', 'Email is required'],
    ['a blank email', { email: '  ', password: testPassword }, 'email', 'Email is required'],
    ['no email at all', { email: 'somebody', password: testPassword }, 'email', 'Invalid email address'],
    ['an email without a domain', { email: 'a@', password: testPassword }, 'email', 'Invalid email address'],
    ['two emails', { email: 'a@b.de,c@d.de', password: testPassword }, 'email', 'Invalid email address'],
    [
      'an email with a blank',
      { email: 'a b@c.de', password: testPassword },
      'email',
      'Invalid email address',
    ],
    ['an absent password', { email: someEmail }, 'password', 'Password is required'],
    ['an empty password', { email: someEmail, password: '' }, 'password', 'Password is required'],
    ['a null password', { email: someEmail, password: null }, 'password', 'Password is required'],
    [
      'five characters',
      { email: someEmail, password: '12345' },
      'password',
      'Password must be at least 6 characters',
    ],
  ])('refuses %s with the text of its field', async (_case, body, field, text) => {
    const answer = await app.client().post('/api/auth/login', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, code: 'VALIDATION_FAILED', fields: { [field]: text } });
  });

  it('names every invalid field', async () => {
    const answer = await app.client().post('/api/auth/login', {});
    expect(answer.body.fields).toEqual({ email: 'Email is required', password: 'Password is required' });
  });

  it('checks passwords of six characters', async () => {
    expect((await login(app, 'somebody@example.com', '123456')).status).toBe(401);
  });

  it.each([
    ['a list for the password', { password: [testPassword] }],
    ['an object for the password', { password: { $ne: '' } }],
    ['a list for the email', { email: ['a@b.de'] }],
    ['a number for the password', { password: 123456 }],
    ['a field that is not its own', { role: 'admin' }],
    ['a password with a NUL byte', { password: `${testPassword}\0` }],
    ['a password without an end', { password: 'x'.repeat(1025) }],
  ])('refuses %s', async (_case, changes) => {
    const body = { email: admin.email, password: testPassword, ...changes };
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

describe('GET /api/auth/verify', () => {
  it('returns the user of the session', async () => {
    const answer = await admin.client.get('/api/auth/verify');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['user']);
    expect(Object.keys(answer.body.user).sort()).toEqual(userFields);
    expect(answer.body.user).toMatchObject({ id: admin.id, email: admin.email, role: 'admin' });
  });

  it('returns 401 without a valid session, and takes no token from the URL', async () => {
    const basic = `Basic ${Buffer.from(`${admin.email}:${testPassword}`).toString('base64')}`;
    const answers = [
      await app.client().get('/api/auth/verify'),
      await app.client('x'.repeat(43)).get('/api/auth/verify'),
      await app.client(`${admin.token}A`).get('/api/auth/verify'),
      await app.client().get(`/api/auth/verify?token=${admin.token}&access_token=${admin.token}`),
      await app.client().get('/api/auth/verify', { authorization: admin.token }),
      await app.client().get('/api/auth/verify', { authorization: basic }),
      await app
        .client()
        .get('/api/auth/verify', { cookie: `token=${admin.token}; authToken=${admin.token}` }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ error: 'Please sign in', code: 'UNAUTHENTICATED' });
    }
  });
});
