import { runAdmin } from '@customer-database/testkit/admin';
import type { Answer } from '@customer-database/testkit/client';
import { makeAccount, makeUser, testPassword } from '@customer-database/testkit/factories';
import { expectRefused, OidcSignIn } from '@customer-database/testkit/oidc-sign-in';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

let company: OidcSignIn;

beforeAll(async () => {
  company = await OidcSignIn.start();
});

describe('settings', () => {
  /** Gives an account to every user of the provider. */
  let open: TestApp;
  beforeAll(async () => {
    open = await company.startApp({ REQUIRE_MFA: 'all', OIDC_PROVISION: 'staff' });
  });

  it('REQUIRE_MFA takes an OIDC sign-in for both factors', async () => {
    const { body } = await company.signIn(company.person().sub, open);
    expect((await open.client(body.token).get('/api/customers')).status).toBe(200);
  });

  it('OIDC_PROVISION=staff creates accounts for verified emails without one', async () => {
    const { sub, email } = company.person({ name: 'New Colleague' });
    const { body } = await company.signIn(sub, open);
    expect(body.user).toMatchObject({ email, name: 'New Colleague', role: 'staff' });
    const again = await company.signIn(sub, open);
    expect(again.body.user.id).toBe(body.user.id);
    expectRefused(await company.signIn(company.person({ email_verified: false }).sub, open), 'unverified');
    expectRefused(await company.signIn(company.person({ email }).sub, open), 'unknown');
  });

  it('OIDC_PROVISION=staff creates one account for concurrent first sign-ins', async () => {
    const { sub } = company.person();
    const answers = await Promise.all([1, 2, 3].map(() => company.signIn(sub, open)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  it('INTERNAL_ACCESS_SECRET is required for an OIDC sign-in too', async () => {
    const guarded = await company.startApp({ INTERNAL_ACCESS_SECRET: 'only-for-people-inside' });
    const answer = await company.signIn(company.person().sub, guarded);
    expectProblem(answer, 403, 'INTERNAL_ACCESS_REQUIRED');
  });

  it.each([
    ['a name of two lines', { name: 'Pia\r\nBcc: all@example.com' }, 200],
    ['a name of 1,000 characters', { name: 'x'.repeat(1000) }, 200],
    ['an email of two lines', { email: 'pia@example.com\r\nBcc: all@example.com' }, 401],
    ['an email of 1,000 characters', { email: `${'x'.repeat(1000)}@example.com` }, 401],
    ['an invalid email', { email: 'pia' }, 401],
  ])('OIDC_PROVISION=staff ignores %s', async (_, claims, status) => {
    const { sub, email } = company.person(claims);
    const answer = await company.signIn(sub, open);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.user.name).toBe(email.split('@')[0]);
  });

  it('OIDC_ADMIN_GROUP sets the role at each sign-in, but keeps the last administrator', async () => {
    const grouped = await company.startApp({ OIDC_PROVISION: 'staff', OIDC_ADMIN_GROUP: 'admins' });
    const known = company.person({ groups: ['people', 'admins'] });
    expect((await company.signIn(known.sub, grouped)).body.user.role).toBe('admin');
    company.provider.people.set(known.sub, { ...known, groups: ['people'] });
    expect((await company.signIn(known.sub, grouped)).body.user.role).toBe('admin');
    await makeUser(grouped, 'admin');
    expect((await company.signIn(known.sub, grouped)).body.user.role).toBe('staff');
    const { rows } = await grouped.pool.query(
      `select actor_label from activity where action = 'user.role_changed'`,
    );
    expect(rows).toEqual([{ actor_label: 'company sign-in' }, { actor_label: 'company sign-in' }]);
  });

  it('without OIDC_ISSUER its calls do not exist', async () => {
    const without = await startTestApp();
    for (const path of ['start', 'callback']) {
      expectProblem(await without.client().get(`/api/auth/oidc/${path}`), 404, 'NOT_FOUND');
    }
    expectProblem(await without.client().post('/api/auth/oidc/finish'), 404, 'NOT_FOUND');
    expect((await without.client().get('/api/auth/setup')).body).toMatchObject({
      company_sign_in: null,
      password_sign_in: true,
    });
  });
});

describe('PASSWORD_SIGN_IN=off', () => {
  let only: TestApp;
  beforeAll(async () => {
    only = await company.startApp({ PASSWORD_SIGN_IN: 'off' });
  });

  const login = (email: string, password: string) =>
    only.client().post('/api/auth/login', { email, password });

  function expectOff(answer: Answer): void {
    expectProblem(answer, 403, 'PASSWORD_SIGN_IN_OFF');
    expect(answer.body.error).toBe('Please sign in with Acme');
  }

  async function makeColleague(role: 'admin' | 'staff') {
    const { email } = await makeAccount(only, role);
    const { body } = await company.signIn(company.person({ email }).sub, only, '?confirm=true');
    return only.client(body.token);
  }

  it('refuses passwords and passkeys', async () => {
    const { email } = await makeAccount(only, 'admin');
    expectOff(await login(email, testPassword));
    expectOff(await login(email, 'a wrong password'));
    expectOff(await login('unknown@example.com', testPassword));
    expectOff(await only.client().post('/api/auth/passkeys/sign-in/start'));
    expect((await only.client().get('/api/auth/setup')).body).toMatchObject({
      company_sign_in: 'Acme',
      password_sign_in: false,
      passkeys: false,
    });
    expect((await company.signIn(company.person({ email }).sub, only)).status).toBe(200);
  });

  it('invites without a password, and resets none', async () => {
    const admin = await makeColleague('admin');
    const { sub, email } = company.person();
    const invited = await admin.post('/api/auth/invite', { email, role: 'staff' });
    expect(invited).toMatchObject({ status: 201, body: { delivery: 'handover' } });
    expect(invited.body.temporary_password).toBeUndefined();
    const { id } = invited.body.user;
    const again = await admin.post(`/api/users/${id}/resend-invitation`);
    expect(again.body).toMatchObject({ delivery: 'handover' });
    expect(again.body.temporary_password).toBeUndefined();
    expect((await company.signIn(sub, only)).body.user).toMatchObject({ id, email });
    const answer = await admin.post(`/api/users/${id}/reset-password`);
    expectProblem(answer, 403, 'PASSWORD_SIGN_IN_OFF');
    expect(answer.body.error).toBe('There are no passwords here: people sign in with Acme');
  });

  it('accepts a password of the command line for seven days', async () => {
    const { email } = await makeAccount(only, 'admin');
    const { output } = await runAdmin(only, ['reset-password', email]);
    const password = /: ((?:[a-z2-9]{5}-){3}[a-z2-9]{5})/.exec(output)?.[1] ?? '';
    const { body } = await login(email, password);
    expect(body).toMatchObject({ require_password_change: true, user: { email } });
    const own = { currentPassword: password, newPassword: 'a password of my own' };
    expect((await only.client(body.token).put('/api/auth/change-password', own)).status).toBe(200);
    expect((await login(email, own.newPassword)).status).toBe(200);
    only.clock.advance(7 * 24 * 3_600_000 + 1000);
    expectOff(await login(email, own.newPassword));
  });

  it('accepts the password of the first administrator', async () => {
    const first = await company.startApp({ PASSWORD_SIGN_IN: 'off' });
    const account = { email: 'first@example.com', password: testPassword };
    const setup = { name: 'First', setup_code: setupCode(first.deps) };
    const registered = await first.client().post('/api/auth/register', { ...account, ...setup });
    expect(registered.status).toBe(201);
    expect((await first.client().post('/api/auth/login', account)).status).toBe(200);
  });
});
