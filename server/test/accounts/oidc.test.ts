import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { runAdmin } from '@customer-database/testkit/admin';
import { createBreakableDatabase } from '@customer-database/testkit/breakable-database';
import { Browser } from '@customer-database/testkit/browser';
import { makeAccount, makeUser, type TestUser, testPassword } from '@customer-database/testkit/factories';
import { makeKey, type OidcProvider } from '@customer-database/testkit/oidc-provider';
import { expectRefused, OidcSignIn } from '@customer-database/testkit/oidc-sign-in';
import { expectProblem } from '@customer-database/testkit/problems';
import type { TestApp } from '@customer-database/testkit/test-app';
import type { JWTPayload } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let company: OidcSignIn;
let provider: OidcProvider;
let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  company = await OidcSignIn.start();
  provider = company.provider;
  app = await company.startApp();
  admin = await makeUser(app, 'admin');
});

beforeEach(() => {
  provider.forge = undefined;
  provider.forgedKey = undefined;
});

const person = (more?: object) => company.person(more);
const signIn = (sub: string) => company.signIn(sub, app);
const toCallback = (browser: Browser) => company.toCallback(browser, app);
const land = (browser: Browser, callback: string) => company.land(browser, callback, app);

async function invite(email: string, role = 'staff') {
  const answer = await admin.client.post('/api/auth/invite', { email, role });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('an OIDC sign-in', () => {
  it('links an account by a verified email, and finds it by the subject from then on', async () => {
    const { sub, email } = person();
    const invited = await invite(email);
    const since = await lastActivityId(app);
    const { status, body } = await signIn(sub);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { id: invited.user.id, email, role: 'staff' } });
    expect(body.require_password_change).toBeUndefined();
    expect((await app.client(body.token).get('/api/customers')).status).toBe(200);
    expect((await activitySince(app, since)).map(({ action }) => action)).toEqual([
      'user.company_linked',
      'sign_in.succeeded',
    ]);
    const password = invited.temporary_password;
    expect((await app.client().post('/api/auth/login', { email, password })).status).toBe(401);
    provider.people.set(sub, { sub, email: 'another@example.com', email_verified: true });
    expect((await signIn(sub)).body.user.id).toBe(invited.user.id);
  });

  it('opens an account that has a password, and keeps the password', async () => {
    const { email } = await makeAccount(app, 'admin');
    const { sub } = person({ email: email.toUpperCase() });
    expect((await signIn(sub)).body.user).toMatchObject({ email, role: 'admin' });
    expect((await app.client().post('/api/auth/login', { email, password: testPassword })).status).toBe(200);
  });

  it('succeeds for concurrent first sign-ins of one user', async () => {
    const { sub, email } = person();
    const { user } = await invite(email);
    const answers = await Promise.all([signIn(sub), signIn(sub), signIn(sub)]);
    expect(answers.map(({ body }) => body.user?.id)).toEqual([user.id, user.id, user.id]);
  });

  it('confirms the session if the user authenticated at the provider recently, or again', async () => {
    const { email, sub } = person();
    await invite(email, 'admin');
    const other = await makeAccount(app, 'staff');
    const changesRights = async (token: string) => {
      const answer = await app.client(token).put(`/api/users/${other.id}`, { role: 'admin' });
      return answer.body.code ?? answer.status;
    };
    const signedInThere = (auth_time?: number) => {
      provider.forge = (claims) => ({ ...claims, auth_time });
      return signIn(sub);
    };
    const now = Math.floor(app.clock.now().getTime() / 1000);
    expect(await changesRights((await signedInThere(now - 60)).body.token)).toBe(200);
    // The provider may reuse its own session.
    for (const authTime of [now - 3600, undefined])
      expect(await changesRights((await signedInThere(authTime)).body.token)).toBe('CONFIRMATION_REQUIRED');
    provider.forge = undefined;
    const browser = new Browser();
    const again = await company.toCallback(browser, app, '?confirm=true');
    expect(await changesRights((await land(browser, again)).body.token)).toBe(200);
  });

  it.each([
    ['a user without an account', {}, 'unknown'],
    ['an unverified email', { email_verified: false }, 'unverified'],
    ['no email', { email: undefined }, 'unverified'],
  ] as const)('refuses %s, and logs it', async (_, more, why) => {
    const { sub, email } = person(more);
    if (why === 'unverified' && email) await invite(email);
    const since = await lastActivityId(app);
    expectRefused(await signIn(sub), why);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'sign_in.failed', subject_label: email ?? 'Pia Person', detail: { factor: 'company' } },
    ]);
  });

  it('accepts an email of Entra ID whose domain it has verified', async () => {
    const { sub, email } = person({ email_verified: undefined, xms_edov: true });
    provider.forge = (claims) => ({ ...claims, xms_edov: '1' });
    await invite(email);
    expect((await signIn(sub)).status).toBe(200);
  });

  it('refuses expired invitations and disabled users', async () => {
    const late = person();
    await invite(late.email);
    app.clock.advance(7 * 24 * 3_600_000 + 1000);
    admin = await makeUser(app, 'admin');
    expectRefused(await signIn(late.sub), 'unknown');
    const gone = person();
    const { user } = await invite(gone.email);
    expect((await signIn(gone.sub)).status).toBe(200);
    await admin.client.post(`/api/users/${user.id}/disable`);
    expectRefused(await signIn(gone.sub), 'unknown');
  });

  it('refuses another subject with the email of an account', async () => {
    const owner = person();
    await invite(owner.email);
    expect((await signIn(owner.sub)).status).toBe(200);
    const thief = person({ email: owner.email });
    expectRefused(await signIn(thief.sub), 'unknown');
    const { email } = person();
    await invite(`k${email}`);
    // The full-width letter, and the sign for kelvin, whose small letter is a 'k'.
    for (const letter of ['ｋ', '\u212a'])
      expectRefused(await signIn(person({ email: `${letter}${email}` }).sub), 'unverified');
    const renamed = person();
    await invite(renamed.email);
    await signIn(renamed.sub);
    provider.people.set(renamed.sub, { ...renamed, email: owner.email });
    expect((await signIn(renamed.sub)).body.user.email).toBe(renamed.email);
  });
});

describe('a link to a subject at the provider', () => {
  const accountOf = async (email: string) => {
    const { body } = await admin.client.get(`/api/users?q=${encodeURIComponent(email)}`);
    return body.users[0];
  };

  it('removes the other credentials of an account whose user chose the email', async () => {
    const victim = person();
    const thief = await makeUser(app, 'staff');
    expect((await thief.client.put('/api/auth/profile', { email: victim.email })).status).toBe(200);
    const made = await thief.client.post('/api/auth/tokens', {
      name: 'Sync',
      scope: 'read',
      expires_in_days: 30,
    });
    expect(made.status).toBe(201);
    expect((await signIn(victim.sub)).body.user.email).toBe(victim.email);
    expect((await thief.client.get('/api/auth/verify')).status).toBe(401);
    expect((await app.client(made.body.token).get('/api/customers')).status).toBe(401);
    const password = { email: victim.email, password: testPassword };
    expect((await app.client().post('/api/auth/login', password)).status).toBe(401);
    expect(await accountOf(victim.email)).toMatchObject({ mfa_enabled: false, passkeys: 0 });
  });

  it('is made again with another provider, and after the operator has removed it', async () => {
    const { sub, email } = person();
    const { user } = await invite(email);
    expect((await signIn(sub)).body.user.id).toBe(user.id);
    await app.pool.query(`update users set company_issuer = 'https://old.example' where id = $1`, [user.id]);
    expect((await signIn(sub)).body.user.id).toBe(user.id);
    const successor = person({ email });
    expectRefused(await signIn(successor.sub), 'unknown');
    const { output } = await runAdmin(app, ['unlink-company', email]);
    expect(output).toContain(`${email} is no longer linked`);
    expect((await signIn(successor.sub)).body.user.id).toBe(user.id);
    expectRefused(await signIn(sub), 'unknown');
  });
});

describe('a callback', () => {
  /** A user who could sign in. */
  async function invited() {
    const known = person();
    await invite(known.email);
    provider.person = known.sub;
    return known;
  }

  async function expectNoSession(email: string): Promise<void> {
    const { rows } = await app.pool.query(
      `select 1 from sessions join users on users.id = user_id where email = $1`,
      [email],
    );
    expect(rows).toEqual([]);
  }

  it('with another state, or the state of another browser, is refused', async () => {
    const { email } = await invited();
    const [mine, other] = [new Browser(), new Browser()];
    const callback = await toCallback(mine);
    await toCallback(other);
    expectRefused(await land(other, callback), 'failed');
    const changed = new URL(await toCallback(mine));
    changed.searchParams.set('state', 'x');
    expectRefused(await land(mine, changed.href), 'failed');
    expectRefused(await land(new Browser(), await toCallback(mine)), 'failed');
    await expectNoSession(email);
  });

  it.each(['nonce', 'code_challenge'])('with another %s is refused', async (name) => {
    const { email } = await invited();
    const browser = new Browser();
    const started = await browser.send(`${app.url}/api/auth/oidc/start`);
    const asked = new URL(started.headers.get('location') ?? '');
    expect(asked.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    asked.searchParams.set(name, 'x'.repeat(43));
    expectRefused(await land(browser, await company.follow(browser, asked.href)), 'failed');
    await expectNoSession(email);
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['for another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['that has expired', (claims) => ({ ...claims, exp: seconds() - 600, iat: seconds() - 1200 })],
    ['without a nonce', ({ nonce: _, ...claims }) => claims],
    ['without a subject', ({ sub: _, ...claims }) => claims],
  ])('with an ID token %s is refused', async (_, forge) => {
    const { sub, email } = await invited();
    provider.forge = forge;
    expectRefused(await signIn(sub), 'failed');
    await expectNoSession(email);
  });

  it('with an ID token that another key signed is refused', async () => {
    const { sub, email } = await invited();
    provider.forge = (claims) => claims;
    provider.forgedKey = makeKey();
    expectRefused(await signIn(sub), 'failed');
    await expectNoSession(email);
    provider.forgedKey = undefined;
    expect((await signIn(sub)).status).toBe(200);
  });

  it('that names another issuer is refused', async () => {
    const { email } = await invited();
    const browser = new Browser();
    const callback = new URL(await toCallback(browser));
    callback.searchParams.set('iss', 'https://evil.example');
    expectRefused(await land(browser, callback.href), 'failed');
    await expectNoSession(email);
  });

  it('works once, and its result opens one session', async () => {
    await invited();
    const browser = new Browser();
    const callback = await toCallback(browser);
    const landed = await company.openCallback(browser, callback, app);
    const result = landed.headers.getSetCookie().find((text) => text.startsWith('oidc-result=')) ?? '';
    const cookie = result.split(';')[0] ?? '';
    const take = () => fetch(`${app.url}/api/auth/oidc/finish`, { method: 'POST', headers: { cookie } });
    const answers = await Promise.all([take(), take(), take()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expectRefused(await land(browser, callback), 'failed');
  });

  it('is refused after ten minutes, and its result after one', async () => {
    const { email } = await invited();
    const slow = new Browser();
    const callback = await toCallback(slow);
    app.clock.advance(601_000);
    expectRefused(await land(slow, callback), 'failed');
    admin = await makeUser(app, 'admin');
    await invite(email);
    const late = new Browser();
    await company.openCallback(late, await toCallback(late), app);
    app.clock.advance(61_000);
    expectRefused(await company.finish(late, app), 'failed');
    await expectNoSession(email);
  });

  it.each([
    ['ten minutes ago', () => seconds() - 600],
    ['an unknown time', () => undefined],
  ])('that confirms a session is refused with an authentication of %s', async (_, authTime) => {
    await invited();
    provider.forge = (claims) => ({ ...claims, auth_time: authTime() });
    const browser = new Browser();
    const callback = await company.toCallback(browser, app, '?confirm=true');
    expectRefused(await land(browser, callback), 'failed');
  });

  it('with an error of the provider is refused', async () => {
    await invited();
    provider.person = 'cancel';
    const browser = new Browser();
    expectRefused(await land(browser, await toCallback(browser)), 'failed');
  });

  it('is refused while the provider is down', async () => {
    const { sub } = await invited();
    const fresh = await company.startApp();
    await provider.stop();
    const browser = new Browser();
    const started = await browser.send(`${fresh.url}/api/auth/oidc/start`);
    expect(started.headers.get('location')).toBe(`${company.publicUrl}/login?company`);
    expectRefused(await company.finish(browser, fresh), 'unavailable');
    await provider.start();
    const callback = await toCallback(browser);
    await provider.stop();
    expectRefused(await land(browser, callback), 'unavailable');
    await provider.start();
    expect((await signIn(sub)).status).toBe(200);
  });

  it('is refused while the database is down', async () => {
    const database = await createBreakableDatabase();
    const server = await company.startApp({}, { databaseUrl: database.url });
    const { email } = await makeAccount(server, 'staff');
    const { sub } = person({ email });
    provider.person = sub;
    const browser = new Browser();
    const callback = await company.toCallback(browser, server);
    await company.openCallback(browser, await company.toCallback(browser, server), server);
    await database.disconnect();
    expectProblem(await company.finish(browser, server), 503, 'DATABASE_UNAVAILABLE');
    const other = new Browser();
    const answer = await company.land(other, await company.toCallback(other, server), server);
    expectProblem(answer, 401, 'COMPANY_SIGN_IN_FAILED');
    expect(answer.body.error).toBe('The database is not available right now. Please try again later.');
    expectRefused(await company.land(browser, callback, server), 'failed');
    await database.reconnect();
    expect((await company.signIn(sub, server)).status).toBe(200);
  });

  it('with any query is redirected or refused', async () => {
    for (const query of [
      '?',
      '?code=x',
      '?state[]=x&state=y&state=z',
      '?error=%00&iss=x',
      `?code=${'x'.repeat(3000)}`,
    ]) {
      const answer = await app.client().send(`/api/auth/oidc/callback${query}`, { redirect: 'manual' });
      expect([302, 400], query).toContain(answer.status);
    }
  });
});
