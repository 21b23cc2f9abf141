import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { makeUser, testPassword } from '@customer-database/testkit/factories';
import { makeCall, nameOf, protectedCalls } from '@customer-database/testkit/protected-calls';
import { login, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';

const publicUrl = 'https://database.company.example';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: { REQUIRE_MFA: 'all', PUBLIC_URL: publicUrl } });
});

const required = { code: 'MFA_SETUP_REQUIRED', error: 'Please set up a second factor on your profile first' };

describe('where MFA is required', () => {
  it('a session without it opens nothing but the way to it', async () => {
    const open: string[] = [];
    for (const call of protectedCalls(app)) {
      // Some of them end the session.
      const user = await makeUser(app, 'admin');
      const answer = await makeCall(user.client, call);
      if (answer.status === 403 && answer.body.code === required.code)
        expect(answer.body).toMatchObject(required);
      else open.push(nameOf(call));
    }
    expect(open.sort()).toEqual([
      'DELETE /api/auth/sessions',
      'DELETE /api/auth/sessions/{id}',
      'DELETE /api/auth/tokens/{id}',
      'GET /api/auth/passkeys',
      'GET /api/auth/sessions',
      'GET /api/auth/tokens',
      'GET /api/auth/verify',
      'POST /api/auth/confirm',
      'POST /api/auth/logout',
      'POST /api/auth/mfa/setup/start',
      'POST /api/auth/mfa/setup/verify',
      'POST /api/auth/passkeys/setup/start',
      'POST /api/auth/passkeys/setup/verify',
      'PUT /api/auth/change-password',
    ]);
  });

  it('setting up an app opens the session, and the next sign-in asks for a code', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    expect((await user.client.get('/api/dashboard')).status).toBe(200);
    const asked = await login(app, user.email);
    expect(asked.body.mfa_required).toBe(true);
    const session = await verifyLogin(app, asked.body.mfa_token, nextTotpCode(app, secret));
    expect((await app.client(session.body.token).get('/api/dashboard')).status).toBe(200);
  });

  it('so does a passkey, but the password alone does not any more', async () => {
    const user = await makeUser(app, 'staff');
    const device = new SoftwareAuthenticator(publicUrl);
    const { options, state } = (await user.client.post('/api/auth/passkeys/setup/start')).body;
    const added = { state, name: 'Phone', response: device.register(options) };
    expect((await user.client.post('/api/auth/passkeys/setup/verify', added)).status).toBe(201);
    expect((await user.client.get('/api/dashboard')).status).toBe(200);
    const { body } = await login(app, user.email, testPassword);
    expect((await app.client(body.token).get('/api/dashboard')).body).toMatchObject(required);
    const asked = (await app.client().post('/api/auth/passkeys/sign-in/start')).body;
    const proof = { state: asked.state, response: device.authenticate(asked.options) };
    const session = await app.client().post('/api/auth/passkeys/sign-in/finish', proof);
    expect((await app.client(session.body.token).get('/api/dashboard')).status).toBe(200);
  });
});

describe('where MFA is required of administrators', () => {
  it('staff go on without, until they become administrators', async () => {
    const server = await startTestApp({ env: { REQUIRE_MFA: 'admins' } });
    const [admin, staff] = [await makeUser(server, 'admin'), await makeUser(server, 'staff')];
    expect((await staff.client.get('/api/dashboard')).status).toBe(200);
    expect((await admin.client.get('/api/dashboard')).body).toMatchObject(required);
    await enableMfa(server, admin);
    expect((await admin.client.put(`/api/users/${staff.id}`, { role: 'admin' })).status).toBe(200);
    expect((await staff.client.get('/api/dashboard')).body).toMatchObject(required);
  });
});
