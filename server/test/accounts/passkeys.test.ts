import { generateKeyPairSync } from 'node:crypto';
import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import {
  addPasskey as addPasskeyTo,
  type Deviation,
  SoftwareAuthenticator,
} from '@customer-database/testkit/authenticator';
import { createClient } from '@customer-database/testkit/client';
import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const publicUrl = 'https://database.company.example';
const pagesElsewhere = 'https://pages.company.example';
const minute = 60_000;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: publicUrl, CORS_ORIGINS: pagesElsewhere } });
});

// Failures of one test must not throttle the address that all tests share.
beforeEach(() => app.pool.query('delete from throttles'));

const setUpPath = '/api/auth/passkeys/setup';
const signInPath = '/api/auth/passkeys/sign-in';

const addPasskey = (user: TestUser, deviation: Deviation = {}) =>
  addPasskeyTo(user.client, publicUrl, deviation);

async function signIn(device: SoftwareAuthenticator, deviation: Deviation = {}) {
  const { options, state } = (await app.client().post(`${signInPath}/start`)).body;
  const body = { state, response: device.authenticate(options, deviation) };
  return { body, answer: await app.client().post(`${signInPath}/finish`, body) };
}

const other = 'https://evil.example';
const strangers = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('a passkey', () => {
  it('is added, listed, renamed and removed, and each is logged', async () => {
    const user = await makeUser(app, 'staff');
    const since = await lastActivityId(app);
    const { options, answer } = await addPasskey(user);
    expect(options).toMatchObject({
      rp: { name: 'Customer Database', id: 'database.company.example' },
      user: { name: user.email, displayName: user.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body.passkey;
    expect((await user.client.get('/api/auth/passkeys')).body.passkeys).toEqual([
      { id, name: 'My phone', created_at: expect.any(String), last_used_at: null },
    ]);
    const renamed = await user.client.put(`/api/auth/passkeys/${id}`, { name: 'Work laptop' });
    expect(renamed.body.passkey.name).toBe('Work laptop');
    expect((await user.client.delete(`/api/auth/passkeys/${id}`)).status).toBe(200);
    expect((await user.client.get('/api/auth/passkeys')).body.passkeys).toEqual([]);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'passkey.added', detail: { name: 'My phone' } },
      { action: 'passkey.renamed', detail: { name: 'Work laptop' } },
      { action: 'passkey.removed', detail: { name: 'Work laptop' } },
    ]);
  });

  it('of another user can be neither renamed nor removed', async () => {
    const [owner, stranger] = [await makeUser(app, 'staff'), await makeUser(app, 'admin')];
    const { id } = (await addPasskey(owner)).answer.body.passkey;
    expect((await stranger.client.put(`/api/auth/passkeys/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.client.delete(`/api/auth/passkeys/${id}`)).status).toBe(404);
    expect((await owner.client.get('/api/auth/passkeys')).body.passkeys).toHaveLength(1);
  });

  it('is added and removed only in a recently confirmed session', async () => {
    const user = await makeUser(app, 'staff');
    const { id } = (await addPasskey(user)).answer.body.passkey;
    app.clock.advance(16 * minute);
    const refused = [
      await user.client.post(`${setUpPath}/start`),
      await user.client.delete(`/api/auth/passkeys/${id}`),
    ];
    for (const answer of refused) expect(answer.body.code).toBe('CONFIRMATION_REQUIRED');
  });

  it.each<[string, Deviation]>([
    ['for another origin', { origin: other }],
    ['for another host', { host: 'evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['in place of a sign-in', { type: 'webauthn.get' }],
    ['without user verification', { unverified: true }],
  ])('made %s is refused', async (_, deviation) => {
    const user = await makeUser(app, 'staff');
    const { answer } = await addPasskey(user, deviation);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('PASSKEY_FAILED');
    expect((await user.client.get('/api/auth/passkeys')).body.passkeys).toEqual([]);
  });

  it('is added once, by the user who requested the challenge, within five minutes', async () => {
    const [user, stranger] = [await makeUser(app, 'staff'), await makeUser(app, 'staff')];
    const device = new SoftwareAuthenticator(publicUrl);
    const { options, state } = (await user.client.post(`${setUpPath}/start`)).body;
    const body = { state, name: 'Phone', response: device.register(options) };
    expect((await stranger.client.post(`${setUpPath}/verify`, body)).body.code).toBe('PASSKEY_FAILED');
    expect((await user.client.post(`${setUpPath}/verify`, body)).status).toBe(201);
    expect((await user.client.post(`${setUpPath}/verify`, body)).body.code).toBe('CONFLICT');
    const late = (await user.client.post(`${setUpPath}/start`)).body;
    app.clock.advance(5 * minute);
    const response = new SoftwareAuthenticator(publicUrl).register(late.options);
    const answer = await user.client.post(`${setUpPath}/verify`, { state: late.state, name: 'x', response });
    expect(answer.body).toMatchObject({
      code: 'PASSKEY_FAILED',
      error: 'This took too long. Please try again.',
    });
  });
});

describe('a sign-in with a passkey', () => {
  it('belongs to the host of the pages, which may be another one that is allowed', async () => {
    const hostFor = async (origin: string) =>
      (await app.client().post(`${signInPath}/start`, undefined, { origin })).body.options.rpId;
    expect(await hostFor(publicUrl)).toBe('database.company.example');
    expect(await hostFor(pagesElsewhere)).toBe('pages.company.example');
    expect(await hostFor(other)).toBe('database.company.example');
    const setup = async (url: string) => (await createClient(url).get('/api/auth/setup')).body.passkeys;
    expect(await setup(app.url)).toBe(true);
    const local = await startTestApp();
    expect(await setup(local.url)).toBe(false);
    expect(await setup(local.url.replace('127.0.0.1', 'localhost'))).toBe(true);
  });

  it('requires the internal-access header where the secret is set', async () => {
    const env = { PUBLIC_URL: publicUrl, INTERNAL_ACCESS_SECRET: 'only-for-people-inside' };
    const guarded = await startTestApp({ databaseUrl: app.databaseUrl, env });
    const { device } = await addPasskey(await makeUser(app, 'staff'));
    const finish = async (headers: Record<string, string>) => {
      const { options, state } = (await guarded.client().post(`${signInPath}/start`)).body;
      const body = { state, response: device.authenticate(options) };
      const answer = await guarded.client().post(`${signInPath}/finish`, body, headers);
      return answer.body.code ?? answer.status;
    };
    expect(await finish({})).toBe('INTERNAL_ACCESS_REQUIRED');
    expect(await finish({ 'x-internal-access': env.INTERNAL_ACCESS_SECRET })).toBe(200);
  });

  it('requires neither password nor code, and is logged', async () => {
    const user = await makeUser(app, 'staff');
    const { device } = await addPasskey(user);
    await enableMfa(app, user);
    const since = await lastActivityId(app);
    const { answer } = await signIn(device);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      token: expect.any(String),
      user: { id: user.id, mfa_enabled: true },
    });
    expect((await app.client(answer.body.token).get('/api/dashboard')).status).toBe(200);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'sign_in.succeeded', actor_id: user.id, detail: { factor: 'passkey' } },
    ]);
    const [passkey] = (await user.client.get('/api/auth/passkeys')).body.passkeys;
    expect(passkey.last_used_at).toEqual(expect.any(String));
  });

  it('has a random user handle; early ones have the id of the user', async () => {
    const user = await makeUser(app, 'staff');
    const { device, options } = await addPasskey(user);
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16);
    expect((await user.client.post(`${setUpPath}/start`)).body.options.user.id).toBe(options.user.id);
    expect((await signIn(device)).answer.status).toBe(200);
    const userHandle = Buffer.from(`user:${user.id}`).toString('base64url');
    expect((await signIn(device, { userHandle })).answer.status).toBe(200);
  });

  it.each<[string, Deviation]>([
    ['for another origin', { origin: other }],
    ['for another host', { host: 'evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['made for a setup', { type: 'webauthn.create' }],
    ['without user verification', { unverified: true }],
    ['signed with another key', { signWith: strangers.privateKey }],
    ['of a copied device, whose counter went back', { counter: 1 }],
    ['in the name of another user', { userHandle: Buffer.from('user:1').toString('base64url') }],
    ['that names no user', { userHandle: null }],
  ])('%s is refused and logged', async (_, deviation) => {
    const user = await makeUser(app, 'staff');
    const { device } = await addPasskey(user);
    const since = await lastActivityId(app);
    const { answer } = await signIn(device, deviation);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      code: 'SIGN_IN_FAILED',
      error: 'This passkey does not open an account here',
    });
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'sign_in.failed', subject_id: user.id, detail: { factor: 'passkey' } },
    ]);
  });

  it('works once, also when it is sent 10 times at once', async () => {
    const { device } = await addPasskey(await makeUser(app, 'staff'));
    const { options, state } = (await app.client().post(`${signInPath}/start`)).body;
    const body = { state, response: device.authenticate(options) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.client().post(`${signInPath}/finish`, body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is refused for unknown passkeys and disabled users alike, and after five minutes', async () => {
    const user = await makeUser(app, 'staff');
    const { device } = await addPasskey(user);
    const unknown = (await signIn(new SoftwareAuthenticator(publicUrl))).answer;
    await app.pool.query('update users set disabled_at = now() where id = $1', [user.id]);
    const disabled = (await signIn(device)).answer;
    for (const answer of [unknown, disabled]) {
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe('This passkey does not open an account here');
    }
    const { options, state } = (await app.client().post(`${signInPath}/start`)).body;
    app.clock.advance(5 * minute);
    const late = { state, response: device.authenticate(options) };
    expect((await app.client().post(`${signInPath}/finish`, late)).body.code).toBe('PASSKEY_FAILED');
    const forged = { state: Buffer.alloc(80).toString('base64url'), response: device.authenticate(options) };
    expect((await app.client().post(`${signInPath}/finish`, forged)).body.code).toBe('PASSKEY_FAILED');
  });

  it('fails after an administrator has reset MFA', async () => {
    const [admin, user] = [await makeUser(app, 'admin'), await makeUser(app, 'staff')];
    const { device } = await addPasskey(user);
    expect((await admin.client.get(`/api/users/${user.id}`)).body.user.passkeys).toBe(1);
    expect((await admin.client.post(`/api/users/${user.id}/reset-mfa`)).status).toBe(200);
    expect((await signIn(device)).answer.status).toBe(401);
  });

  it('is throttled like any other, and asking for a challenge writes nothing', async () => {
    const rows = async () =>
      (await app.pool.query('select count(*)::int as count from used_challenges')).rows[0].count;
    const before = await rows();
    for (let turn = 0; turn < 5; turn += 1) await app.client().post(`${signInPath}/start`);
    expect(await rows()).toBe(before);
    const statuses = new Set<number>();
    for (let turn = 0; turn < 50; turn += 1) {
      statuses.add((await signIn(new SoftwareAuthenticator(publicUrl))).answer.status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });
});
