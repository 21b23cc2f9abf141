import { addPasskey, SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { makeUser, type TestUser, testPassword } from '@customer-database/testkit/factories';
import { whileHolding } from '@customer-database/testkit/locks';
import { expectProblem } from '@customer-database/testkit/problems';
import { login, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, totpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendWithoutBody, sessionCalls } from '../http/calls/all.ts';

const publicUrl = 'https://database.company.example';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: { REQUIRE_MFA: 'all', PUBLIC_URL: publicUrl } });
});

const required = { code: 'MFA_SETUP_REQUIRED', error: 'Please set up a second factor on your profile first' };

describe('where MFA is required', () => {
  it('a session without it may only call what sets it up', async () => {
    const open: string[] = [];
    for (const [name] of sessionCalls) {
      // Some of them end the session.
      const user = await makeUser(app, 'admin');
      const answer = await sendWithoutBody(user.client, name);
      if (answer.status === 403 && answer.body.code === required.code)
        expect(answer.body).toMatchObject(required);
      else open.push(name);
    }
    const expected = sessionCalls.filter(([, { access }]) => access.startsWith('before '));
    expect(open).toEqual(expected.map(([name]) => name));
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
    const { device, answer } = await addPasskey(user.client, publicUrl);
    expect(answer.status).toBe(201);
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
  it('staff need none until they become administrators', async () => {
    const server = await startTestApp({ env: { REQUIRE_MFA: 'admins' } });
    const [admin, staff] = [await makeUser(server, 'admin'), await makeUser(server, 'staff')];
    expect((await staff.client.get('/api/dashboard')).status).toBe(200);
    expect((await admin.client.get('/api/dashboard')).body).toMatchObject(required);
    await enableMfa(server, admin);
    expect((await admin.client.put(`/api/users/${staff.id}`, { role: 'admin' })).status).toBe(200);
    expect((await staff.client.get('/api/dashboard')).body).toMatchObject(required);
  });
});

describe.each([['none'], ['all']])('a session of the password alone, with REQUIRE_MFA=%s', (REQUIRE_MFA) => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startTestApp({ env: { REQUIRE_MFA, PUBLIC_URL: publicUrl } });
  });

  const refusal = REQUIRE_MFA === 'none' ? 'SECOND_FACTOR_REQUIRED' : 'MFA_SETUP_REQUIRED';

  async function withPasswordAlone(user: TestUser) {
    const thief = server.client((await login(server, user.email, testPassword)).body.token);
    expect((await thief.post('/api/auth/confirm', { password: testPassword })).status).toBe(200);
    return thief;
  }

  async function factorsOf(user: TestUser) {
    const { rows } = await server.pool.query(
      `select mfa_secret, array(select name from passkeys where user_id = users.id) as passkeys,
              (select count(*) from recovery_codes where user_id = users.id) as recovery_codes
       from users where id = $1`,
      [user.id],
    );
    return rows[0];
  }

  it('changes no factor of an account with a passkey, until a passkey confirms it', async () => {
    const owner = await makeUser(server, 'staff');
    const { device, answer } = await addPasskey(owner.client, publicUrl);
    const thief = await withPasswordAlone(owner);
    const before = await factorsOf(owner);
    const own = new SoftwareAuthenticator(publicUrl).register({ challenge: 'AAAA' });
    const removal = () => thief.delete(`/api/auth/passkeys/${answer.body.passkey.id}`);
    expectProblem(await thief.post('/api/auth/mfa/setup/start'), 403, 'SECOND_FACTOR_REQUIRED');
    expectProblem(await thief.post('/api/auth/passkeys/setup/start'), 403, 'SECOND_FACTOR_REQUIRED');
    expectProblem(await removal(), 403, refusal);
    const verified = [
      await thief.post('/api/auth/mfa/setup/verify', { code: '123456' }),
      await thief.post('/api/auth/passkeys/setup/verify', { state: 'x', name: 'Mine', response: own }),
      await thief.post('/api/auth/mfa/disable', { password: testPassword, code: '123456' }),
    ];
    for (const { status } of verified) expect([400, 403, 409]).toContain(status);
    expect(await factorsOf(owner)).toEqual(before);

    const asked = (await thief.post('/api/auth/passkeys/confirm/start')).body;
    const passkey = { state: asked.state, response: device.authenticate(asked.options) };
    expect((await thief.post('/api/auth/confirm', { passkey })).status).toBe(200);
    expect((await thief.post('/api/auth/confirm', { passkey })).body.code).toBe('PASSKEY_FAILED');
    await enableMfa(server, { client: thief });
    expect((await removal()).status).toBe(200);
  });

  it('confirms no factor that it began to set up before the owner had one', async () => {
    const owner = await makeUser(server, 'staff');
    const thief = await withPasswordAlone(owner);
    const { secret } = (await thief.post('/api/auth/mfa/setup/start')).body;
    const begun = (await thief.post('/api/auth/passkeys/setup/start')).body;
    await addPasskey(owner.client, publicUrl);
    const before = await factorsOf(owner);
    const code = totpCode(secret, server.clock.now());
    const refused = await thief.post('/api/auth/mfa/setup/verify', { code });
    expectProblem(refused, 403, 'SECOND_FACTOR_REQUIRED');
    const response = new SoftwareAuthenticator(publicUrl).register(begun.options);
    const verify = { state: begun.state, name: 'Mine', response };
    expectProblem(await thief.post('/api/auth/passkeys/setup/verify', verify), 403, 'SECOND_FACTOR_REQUIRED');
    expect(await factorsOf(owner)).toEqual(before);
  });

  it('adds no second kind of factor at the moment in which the owner adds the first', async () => {
    const owner = await makeUser(server, 'staff');
    const thief = await withPasswordAlone(owner);
    const { secret } = (await thief.post('/api/auth/mfa/setup/start')).body;
    const device = new SoftwareAuthenticator(publicUrl);
    const { options, state } = (await owner.client.post('/api/auth/passkeys/setup/start')).body;
    const passkey = { state, name: 'Phone', response: device.register(options) };
    const code = totpCode(secret, server.clock.now());
    const lockOwner = (client: { query: (sql: string, values: unknown[]) => unknown }) =>
      Promise.resolve(client.query('select from users where id = $1 for update', [owner.id]));
    const answers = await whileHolding(server.pool, lockOwner, () => [
      owner.client.post('/api/auth/passkeys/setup/verify', passkey),
      thief.post('/api/auth/mfa/setup/verify', { code }),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  });

  it('changes no factor of an account with an app', async () => {
    const owner = await makeUser(server, 'staff');
    const { secret } = await enableMfa(server, owner);
    const { token } = (await login(server, owner.email, testPassword)).body;
    expect(token).toBeUndefined();
    // No sign-in leads to such a session.
    await server.pool.query('update sessions set has_second_factor = false where user_id = $1', [owner.id]);
    const code = nextTotpCode(server, secret);
    const disable = await owner.client.post('/api/auth/mfa/disable', { password: testPassword, code });
    expectProblem(disable, 403, refusal);
    expectProblem(await owner.client.post('/api/auth/passkeys/setup/start'), 403, 'SECOND_FACTOR_REQUIRED');
    expect((await owner.client.post('/api/auth/confirm', { code })).status).toBe(200);
    expect((await addPasskey(owner.client, publicUrl)).answer.status).toBe(201);
  });
});
