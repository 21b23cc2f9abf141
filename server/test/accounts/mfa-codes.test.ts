import type { Answer } from '@customer-database/testkit/client';
import { makeUser, type TestUser, testPassword } from '@customer-database/testkit/factories';
import { login, mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, type Mfa, nextTotpCode, totpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

// One test's failures must not throttle the address that all tests share.
beforeEach(() => app.clock.advance(3_600_001));

async function userWithMfa(): Promise<TestUser & Mfa> {
  const user = await makeUser(app, 'staff');
  return { ...user, ...(await enableMfa(app, user)) };
}

const challenge = (user: TestUser) => mfaToken(app, user.email);

async function challenges(user: TestUser, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let made = 0; made < count; made += 1) tokens.push(await challenge(user));
  return tokens;
}

const disable = (user: TestUser, code: string) =>
  user.client.post('/api/auth/mfa/disable', { password: testPassword, code });

const invalid = { error: 'Invalid MFA code', code: 'MFA_SIGN_IN_FAILED' };
const over = { error: 'This sign-in has expired. Please sign in again.', code: 'MFA_SIGN_IN_EXPIRED' };

function expectRefused(answer: Answer, refusal = invalid): void {
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject(refusal);
  expect(answer.body).not.toHaveProperty('token');
}

describe('POST /api/auth/mfa/verify-login', () => {
  it('returns a session for the right code', async () => {
    const user = await userWithMfa();
    const answer = await verifyLogin(app, await challenge(user), nextTotpCode(app, user.secret));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['token', 'user']);
    expect(answer.body.user).toMatchObject({ id: user.id, email: user.email, mfa_enabled: true });
    expect((await app.client(answer.body.token).get('/api/customers')).status).toBe(200);
  });

  it('accepts a code typed with blanks, or from a clock half a minute off', async () => {
    const user = await userWithMfa();
    app.clock.advance(120_000);
    const early = totpCode(user.secret, new Date(app.clock.now().getTime() - 30_000));
    const typed = ` ${early.slice(0, 3)} ${early.slice(3)} `;
    expect((await verifyLogin(app, await challenge(user), typed)).status).toBe(200);
    const ahead = totpCode(user.secret, new Date(app.clock.now().getTime() + 30_000));
    expect((await verifyLogin(app, await challenge(user), ahead)).status).toBe(200);
    app.clock.advance(120_000);
    const old = totpCode(user.secret, new Date(app.clock.now().getTime() - 90_000));
    expectRefused(await verifyLogin(app, await challenge(user), old));
  });

  it('refuses a wrong code with 401, logs it, and lets the user try again', async () => {
    const user = await userWithMfa();
    const token = await challenge(user);
    for (const code of [wrongTotpCode(user.secret, app.clock.now()), 'abcdef', 'aaaaa-bbbbb-ccccc']) {
      expectRefused(await verifyLogin(app, token, code));
    }
    expect((await verifyLogin(app, token, nextTotpCode(app, user.secret))).status).toBe(200);
    const { rows } = await app.pool.query(
      "select detail from activity where action = 'sign_in.failed' and subject_id = $1",
      [user.id],
    );
    expect(rows).toEqual(Array(3).fill({ detail: { factor: 'mfa' } }));
  });

  it('allows five attempts per challenge', async () => {
    const user = await userWithMfa();
    const token = await challenge(user);
    const wrong = wrongTotpCode(user.secret, app.clock.now());
    for (let tries = 0; tries < 5; tries += 1) expectRefused(await verifyLogin(app, token, wrong));
    const code = nextTotpCode(app, user.secret);
    expectRefused(await verifyLogin(app, token, code), over);
    app.clock.advance(2_000);
    // The right code was not used up: it works with a new challenge.
    expect((await verifyLogin(app, await challenge(user), code)).status).toBe(200);
  });

  it('ends a challenge after five minutes, and once it is used', async () => {
    const user = await userWithMfa();
    const [late = '', used = ''] = await challenges(user, 2);
    expect((await verifyLogin(app, used, nextTotpCode(app, user.secret))).status).toBe(200);
    expectRefused(await verifyLogin(app, used, nextTotpCode(app, user.secret)), over);
    app.clock.advance(5 * 60_000);
    expectRefused(await verifyLogin(app, late, nextTotpCode(app, user.secret)), over);
    expectRefused(await verifyLogin(app, 'x'.repeat(43), '123456'), over);
  });

  it('refuses the codes of another user', async () => {
    const [one, two] = [await userWithMfa(), await userWithMfa()];
    const token = await challenge(one);
    expectRefused(await verifyLogin(app, token, nextTotpCode(app, two.secret)));
    expectRefused(await verifyLogin(app, token, two.recoveryCodes[0] ?? ''));
  });

  it.each([
    [{ code: '123456' }, 'MFA token is required'],
    [{ mfa_token: 'x' }, 'MFA code is required'],
    [{ mfa_token: ['x'], code: '123456' }, 'MFA token must be text'],
    [{ mfa_token: 'x', code: 123456 }, 'MFA code must be text'],
  ])('refuses %j', async (body, text) => {
    const answer = await app.client().post('/api/auth/mfa/verify-login', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe(text);
  });

  it('still asks for a due password change', async () => {
    const user = await userWithMfa();
    await app.pool.query('update users set must_change_password = true where id = $1', [user.id]);
    const answer = await verifyLogin(app, await challenge(user), nextTotpCode(app, user.secret));
    expect(answer.body.require_password_change).toBe(true);
  });
});

describe('a code from the app works once', () => {
  it('when it is sent 20 times concurrently', async () => {
    const user = await userWithMfa();
    const tokens = await challenges(user, 20);
    const code = nextTotpCode(app, user.secret);
    const answers = await Promise.all(tokens.map((token) => verifyLogin(app, token, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers) expect([200, 401, 429]).toContain(answer.status);
    const { rows } = await app.pool.query(
      "select count(*) as sign_ins from activity where action = 'sign_in.succeeded' and actor_id = $1",
      [user.id],
    );
    expect(rows).toEqual([{ sign_ins: 1 }]);
  });

  it('when it is sent 20 times for one challenge', async () => {
    const user = await userWithMfa();
    const token = await challenge(user);
    const code = nextTotpCode(app, user.secret);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verifyLogin(app, token, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('for signing in or for disabling, not for both', async () => {
    const user = await userWithMfa();
    const code = nextTotpCode(app, user.secret);
    expect((await verifyLogin(app, await challenge(user), code)).status).toBe(200);
    const answer = await disable(user, code);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('Invalid MFA code');
    const both = nextTotpCode(app, user.secret);
    const token = await challenge(user);
    const statuses = [verifyLogin(app, token, both), disable(user, both)].map(async (a) => (await a).status);
    expect((await Promise.all(statuses)).filter((status) => status === 200)).toHaveLength(1);
  });

  it('also for confirming the setup: that code opens no session', async () => {
    const user = await userWithMfa();
    expectRefused(await verifyLogin(app, await challenge(user), user.confirmCode));
  });

  it('also when the clock is moved forward or back by 20 minutes', async () => {
    const user = await userWithMfa();
    const code = nextTotpCode(app, user.secret);
    const usedAt = app.clock.now();
    expect((await verifyLogin(app, await challenge(user), code)).status).toBe(200);
    for (const minutes of [20, -20, 0]) {
      app.clock.set(new Date(usedAt.getTime() + minutes * 60_000));
      await app.pool.query('delete from throttles');
      expectRefused(await verifyLogin(app, await challenge(user), code));
    }
  });

  it('and older codes do not work after it', async () => {
    const user = await userWithMfa();
    app.clock.advance(60_000);
    const older = totpCode(user.secret, app.clock.now());
    const newer = nextTotpCode(app, user.secret);
    expect((await verifyLogin(app, await challenge(user), newer)).status).toBe(200);
    expectRefused(await verifyLogin(app, await challenge(user), older));
  });
});

describe('a recovery code works once', () => {
  it('each of the ten, in any case and without its dashes', async () => {
    const user = await userWithMfa();
    for (const [index, code] of user.recoveryCodes.entries()) {
      const typed = index % 2 ? code : ` ${code.toUpperCase().replaceAll('-', ' ')}`;
      expect((await verifyLogin(app, await challenge(user), typed)).status).toBe(200);
      expectRefused(await verifyLogin(app, await challenge(user), code));
    }
    expect((await login(app, user.email)).body.mfa_required).toBe(true);
  });

  it('when it is sent 20 times concurrently', async () => {
    const user = await userWithMfa();
    const tokens = await challenges(user, 20);
    const [code = ''] = user.recoveryCodes;
    const answers = await Promise.all(tokens.map((token) => verifyLogin(app, token, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});
