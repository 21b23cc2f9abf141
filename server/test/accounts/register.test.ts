import { makeAccount, testPassword } from '@customer-database/testkit/factories';
import { whileHolding } from '@customer-database/testkit/locks';
import { login } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { createConfiguredAdmin, setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

const env = { ADMIN_EMAIL: 'Boss@Example.com', ADMIN_PASSWORD: testPassword };
const closed = 'Registration is closed. Ask an administrator for an invitation.';

const registration = (app: TestApp, overrides: Record<string, unknown> = {}) => ({
  name: 'The First',
  email: 'First@Example.com',
  password: testPassword,
  setup_code: setupCode(app.deps),
  ...overrides,
});

const register = (app: TestApp, overrides?: Record<string, unknown>) =>
  app.client().post('/api/auth/register', registration(app, overrides));

const needsFirstAdmin = async (app: TestApp) =>
  (await app.client().get('/api/auth/setup')).body.needs_first_admin;

async function users(app: TestApp) {
  return (await app.pool.query('select email, name, role from users order by id')).rows;
}

describe('POST /api/auth/register', () => {
  it('creates the first administrator with the setup code, who can then sign in', async () => {
    const app = await startTestApp();
    expect(await needsFirstAdmin(app)).toBe(true);
    // In any case, without dashes and with blanks.
    const answer = await register(app, {
      setup_code: ` ${setupCode(app.deps).toUpperCase().replaceAll('-', ' ')} `,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: 'Account created successfully',
      user: {
        id: expect.any(Number),
        name: 'The First',
        email: 'first@example.com',
        phone_number: null,
        role: 'admin',
        mfa_enabled: false,
      },
    });
    expect(await needsFirstAdmin(app)).toBe(false);
    const session = await login(app, 'first@example.com');
    expect(session.body.user).toEqual(answer.body.user);
    expect(session.body).not.toHaveProperty('require_password_change');
    const { rows } = await app.pool.query(
      "select subject_label from activity where action = 'user.registered'",
    );
    expect(rows).toEqual([{ subject_label: 'first@example.com' }]);
  });

  it('is closed as soon as there is any user, also to the right code and the settings', async () => {
    const app = await startTestApp({ env });
    await makeAccount(app, 'staff');
    expect(await needsFirstAdmin(app)).toBe(false);
    await createConfiguredAdmin(app.deps);
    for (const overrides of [{}, { setup_code: 'wrong' }]) {
      const answer = await register(app, overrides);
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ error: closed, code: 'REGISTRATION_CLOSED' });
    }
    expect(await users(app)).toHaveLength(1);
  });

  it('refuses a wrong setup code, creates no user and logs the attempt', async () => {
    const app = await startTestApp();
    const text = 'The setup code is not correct. The server prints it when it starts.';
    const answer = await register(app, { setup_code: '000000-000000-000000-000000' });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      error: text,
      code: 'WRONG_SETUP_CODE',
      fields: { setup_code: text },
    });
    expect(await users(app)).toEqual([]);
    const { rows } = await app.pool.query(
      'select action, actor_id, subject_label, address, detail from activity',
    );
    expect(rows).toEqual([
      {
        action: 'credential.refused',
        actor_id: null,
        subject_label: 'first@example.com',
        address: '127.0.0.1',
        detail: { factor: 'setup code' },
      },
    ]);
  });

  it('creates one administrator when several try concurrently', async () => {
    const app = await startTestApp();
    const emails = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
    const answers = await whileHolding(
      app.pool,
      (client) => client.query('lock table users in share row exclusive mode'),
      () => emails.map((email) => register(app, { email })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 403, 403, 403]);
    const [made] = answers.filter((answer) => answer.status === 201);
    expect(await users(app)).toEqual([{ email: made?.body.user.email, name: 'The First', role: 'admin' }]);
    for (const refused of answers.filter((answer) => answer.status === 403)) {
      expect(refused.body.error).toBe(closed);
    }
  });

  it('checks every field', async () => {
    const app = await startTestApp();
    const cases: [Record<string, unknown>, string][] = [
      [{ name: ' ' }, 'Name is required'],
      [{ email: undefined }, 'Email is required'],
      [{ password: '12345' }, 'Password must be at least 6 characters'],
      [{ password: 'password' }, 'This password is too common. Please choose another one.'],
      [{ setup_code: '' }, 'Setup code is required'],
      [{ role: 'admin' }, 'role is not a field that can be set here'],
    ];
    for (const [overrides, text] of cases) {
      const answer = await register(app, overrides);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: text, fields: { [Object.keys(overrides)[0] ?? '']: text } });
    }
    expect(await users(app)).toEqual([]);
  });
});

describe('ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  it('create the first administrator unattended, once', async () => {
    const app = await startTestApp({ env });
    await createConfiguredAdmin(app.deps);
    await createConfiguredAdmin(app.deps);
    expect(await users(app)).toEqual([{ email: 'boss@example.com', name: 'Boss', role: 'admin' }]);
    expect((await login(app, 'boss@example.com')).body.user.role).toBe('admin');
    expect(await needsFirstAdmin(app)).toBe(false);
  });

  it('create one administrator when two servers start concurrently', async () => {
    const app = await startTestApp({ env });
    const other = await startTestApp({ env, databaseUrl: app.databaseUrl });
    await whileHolding(
      app.pool,
      (client) => client.query('lock table users in share row exclusive mode'),
      () => [createConfiguredAdmin(app.deps), createConfiguredAdmin(other.deps)],
    );
    expect((await users(app)).map((user) => user.email)).toEqual(['boss@example.com']);
    await other.close();
  });
});
