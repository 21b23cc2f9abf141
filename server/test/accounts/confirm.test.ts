import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { makeUser, type TestUser, testPassword, unique } from '@customer-database/testkit/factories';
import { login, wrongPassword } from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, totpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';

const quarter = 15 * 60_000;

let app: TestApp;
let user: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  stopClock(app);
  user = await makeUser(app, 'staff');
});

const newEmail = () => `${unique('moved')}@example.com`;
const move = (email = newEmail(), of = user) => of.client.put('/api/auth/profile', { email });
const confirm = (proof: object, of = user) => of.client.post('/api/auth/confirm', proof);
const confirmationRequired = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };

describe('a session that was not confirmed in the last 15 minutes', () => {
  it('cannot change the email or set up MFA until the password confirms it, for 15 minutes', async () => {
    app.clock.advance(quarter);
    expect((await move()).status).toBe(200);
    const { secret } = (await user.client.post('/api/auth/mfa/setup/start')).body;
    const before = (await user.client.get('/api/auth/verify')).body;
    app.clock.advance(1);
    const verify = () =>
      user.client.post('/api/auth/mfa/setup/verify', { code: totpCode(secret, app.clock.now()) });
    const refused = [await move(), await user.client.post('/api/auth/mfa/setup/start'), await verify()];
    for (const answer of refused) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject(confirmationRequired);
    }
    expect((await user.client.get('/api/auth/verify')).body).toEqual(before);

    const wrong = await confirm({ password: wrongPassword });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({
      code: 'WRONG_PASSWORD',
      fields: { password: 'The password is not correct' },
    });
    expect((await move()).status).toBe(403);

    const since = await lastActivityId(app);
    expect((await confirm({ password: testPassword })).status).toBe(200);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'session.confirmed', actor_id: user.id, detail: { factor: 'password' } },
    ]);
    app.clock.advance(quarter);
    expect((await move()).status).toBe(200);
    app.clock.advance(1);
    expect((await move()).status).toBe(403);
  });

  it('is not confirmed by another session, nor by a code without MFA', async () => {
    app.clock.advance(quarter + 1);
    const { email } = (await user.client.get('/api/auth/verify')).body.user;
    const { token } = (await login(app, email)).body;
    expect((await app.client(token).post('/api/auth/confirm', { password: testPassword })).status).toBe(200);
    expect((await confirm({ code: '123456' })).body.code).toBe('INVALID_MFA_CODE');
    expect((await move()).status).toBe(403);
  });

  it('can change everything else, and may send its own email in any spelling', async () => {
    app.clock.advance(quarter + 1);
    const { email } = (await user.client.get('/api/auth/verify')).body.user;
    const answer = await user.client.put('/api/auth/profile', {
      name: 'New',
      email: email.toUpperCase(),
      phone_number: '1',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ name: 'New', email, phone_number: '1' });
  });

  it('is confirmed with MFA on by a recovery code or a code, which is then used up', async () => {
    const owner = await makeUser(app, 'admin');
    const { secret, recoveryCodes } = await enableMfa(app, owner);
    app.clock.advance(quarter + 1);
    const code = nextTotpCode(app, secret);
    expect((await confirm({ code }, owner)).status).toBe(200);
    expect((await move(newEmail(), owner)).status).toBe(200);
    expect((await confirm({ code }, owner)).body.code).toBe('INVALID_MFA_CODE');
    app.clock.advance(quarter + 1);
    expect((await move(newEmail(), owner)).status).toBe(403);
    expect((await confirm({ code: recoveryCodes[0] }, owner)).status).toBe(200);
    expect((await move(newEmail(), owner)).status).toBe(200);
    // The error that MFA is already on comes first: there is nothing to confirm.
    app.clock.advance(quarter + 1);
    expect((await owner.client.post('/api/auth/mfa/setup/start')).status).toBe(409);
  });
});

describe('a sensitive change', () => {
  it.each<[string, (owner: TestUser) => Promise<unknown>]>([
    ['of the email', async (owner) => expect((await move(newEmail(), owner)).status).toBe(200)],
    ['to MFA', (owner) => enableMfa(app, owner)],
  ])("%s ends the user's other sessions and no session of another user", async (_, change) => {
    const owner = await makeUser(app, 'staff');
    const stranger = await makeUser(app, 'staff');
    const thief = app.client((await login(app, owner.email)).body.token);
    await change(owner);
    const answers = await Promise.all(
      [thief, owner.client, stranger.client].map((client) => client.get('/api/auth/verify')),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });
});
