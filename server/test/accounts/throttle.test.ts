import { breakActivityLog } from '@customer-database/testkit/activity';
import { apiDocument, type JsonSchema, operationsOf } from '@customer-database/testkit/api';
import type { Answer } from '@customer-database/testkit/client';
import { makeAccount, makeUser, testPassword } from '@customer-database/testkit/factories';
import {
  behindProxy,
  login,
  mfaToken,
  newAddress,
  verifyLogin,
  wrongPassword,
} from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, totpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteExpired } from '../../src/modules/accounts/delete-expired.ts';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
  stopClock(app);
});

const waitOf = (answer: Answer) => Number(answer.headers.get('retry-after'));

function expectTooMany(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(answer.body.code).toBe('TOO_MANY_ATTEMPTS');
  expect(answer.body.error).toMatch(/^Too many attempts\. Please try again in \d+ (second|minute)s?\.$/);
  expect(waitOf(answer)).toBeGreaterThan(0);
}

/** Repeats a failing attempt until it is throttled; resolves to the number of attempts before that. */
async function attemptsUntilThrottled(attempt: () => Promise<Answer>, failure: number): Promise<number> {
  for (let tries = 0; tries < 12; tries += 1) {
    const answer = await attempt();
    if (answer.status === 429) {
      expectTooMany(answer);
      return tries;
    }
    expect(answer.status).toBe(failure);
  }
  throw new Error('was never throttled');
}

describe('failed sign-ins', () => {
  it('sent 50 at once are checked only a few times, and each check counts', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => login(app, email, wrongPassword, address)),
    );
    const checked = answers.filter((answer) => answer.status === 401).length;
    const throttled = answers.filter((answer) => answer.status === 429);
    expect(checked).toBe(6);
    expect(throttled).toHaveLength(44);
    for (const answer of throttled) expectTooMany(answer);
    const { rows } = await app.pool.query("select failures from throttles where key like 'pair:%' || $1", [
      address,
    ]);
    expect(rows).toEqual([{ failures: checked }]);
  });

  it('lengthen the wait each time, up to 15 minutes', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    const fail = () => login(app, email, wrongPassword, address);
    await attemptsUntilThrottled(fail, 401);
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const held = await fail();
      expectTooMany(held);
      waits.push(waitOf(held));
      app.clock.advance(waitOf(held) * 1000);
      expect((await fail()).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('throttle the right password too, until the wait is over', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    await attemptsUntilThrottled(() => login(app, email, wrongPassword, address), 401);
    app.clock.advance(2_000);
    await login(app, email, wrongPassword, address);
    const held = await login(app, email, testPassword, address);
    expectTooMany(held);
    app.clock.advance(waitOf(held) * 1000);
    expect((await login(app, email, testPassword, address)).status).toBe(200);
    // A success clears the account's failures.
    expect((await login(app, email, wrongPassword, address)).status).toBe(401);
    expect((await login(app, email, testPassword, address)).status).toBe(200);
  });

  it('count on every instance, also after a restart and a clean-up', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    await attemptsUntilThrottled(() => login(app, email, wrongPassword, address), 401);
    app.clock.advance(2_000);
    expect((await login(app, email, wrongPassword, address)).status).toBe(401);
    await deleteExpired(app.deps);
    const other = await startTestApp({ databaseUrl: app.databaseUrl, env: behindProxy });
    other.clock.set(app.clock.now());
    expectTooMany(await login(other, email, testPassword, address));
    await other.close();
  });

  it('count even when the rest of the failed sign-in is rolled back', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    const repair = await breakActivityLog(app);
    const attempt = () => login(app, email, wrongPassword, address);
    expect(await attemptsUntilThrottled(attempt, 500).finally(repair)).toBe(6);
    expectTooMany(await login(app, email, testPassword, address));
  });

  it('expire after an hour', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    await attemptsUntilThrottled(() => login(app, email, wrongPassword, address), 401);
    app.clock.advance(61 * 60_000);
    expect(await attemptsUntilThrottled(() => login(app, email, wrongPassword, address), 401)).toBe(6);
  });

  it('throttle a password that is too short as well: 429 until the wait is over, and only then 400', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    const short = () => login(app, email, 'short', address);
    expect((await short()).status).toBe(400);
    expect(await attemptsUntilThrottled(() => login(app, email, wrongPassword, address), 401)).toBe(6);
    const [tooShort, wrong] = [await short(), await login(app, email, wrongPassword, address)];
    expectTooMany(tooShort);
    expect({ ...tooShort.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    app.clock.advance(2_000);
    expect((await short()).status).toBe(400);
  });

  it('count for one account in every spelling of its email', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    const spellings = [email, email.toUpperCase(), ` ${email} `, `\t${email}`, email.replace('a', 'ａ')];
    let turn = 0;
    const attempt = () => {
      turn += 1;
      return login(app, spellings[turn % spellings.length] ?? '', wrongPassword, address);
    };
    expect(await attemptsUntilThrottled(attempt, 401)).toBe(6);
    for (const spelling of spellings) expectTooMany(await login(app, spelling, testPassword, address));
  });
});

describe('throttling of every other call with a credential:', () => {
  const newPassword = 'a completely new password';

  // One test's failures must not throttle the address that all tests share.
  beforeEach(() => app.clock.advance(3_600_001));

  it('every such call of the API is tested here', () => {
    const credentials = ['code', 'currentPassword', 'mfa_token', 'password', 'setup_code'];
    const others = [
      ...['city', 'country', 'dob', 'email', 'name', 'newPassword', 'phone_number', 'province', 'role'],
      ...['customer_email', 'customer_id', 'customer_name', 'date_from', 'date_to', 'description', 'limit'],
      ...['created_at', 'expires_in_days', 'id', 'offset', 'scope', 'updated_at'],
      // A passkey's signature cannot be guessed; accounts/passkeys.test.ts shows that it is throttled all the same.
      ...['passkey', 'response', 'revoke_tokens', 'state'],
      ...['file_data', 'filename', 'mime_type', 'street_line', 'text', 'upload_id'],
    ];
    const namesIn = (body: JsonSchema | undefined): string[] => [
      ...Object.keys(body?.properties ?? {}),
      ...(body?.anyOf ?? []).flatMap(namesIn),
    ];
    const operations = operationsOf(apiDocument(app));
    const names = new Set(operations.flatMap(({ body }) => namesIn(body)));
    expect([...names].sort()).toEqual([...credentials, ...others].sort());
    const calls = operations.filter(({ body }) => namesIn(body).some((name) => credentials.includes(name)));
    expect(calls.map(({ name }) => name).sort()).toEqual([
      'POST /api/auth/confirm',
      'POST /api/auth/login',
      'POST /api/auth/mfa/disable',
      'POST /api/auth/mfa/setup/verify',
      'POST /api/auth/mfa/verify-login',
      'POST /api/auth/register',
      'PUT /api/auth/change-password',
    ]);
  });

  it('PUT /api/auth/change-password', async () => {
    const user = await makeUser(app, 'staff');
    const change = (currentPassword: string) =>
      user.client.put('/api/auth/change-password', { currentPassword, newPassword });
    expect(await attemptsUntilThrottled(() => change(wrongPassword), 400)).toBe(6);
    expectTooMany(await change(testPassword));
    expectTooMany(await change('short'));
    expect((await user.client.get('/api/auth/verify')).status).toBe(200);
    app.clock.advance(2_000);
    expect((await change(testPassword)).status).toBe(200);
  });

  it('POST /api/auth/confirm, for the password together with its change, and for codes', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const confirm = (proof: object) => user.client.post('/api/auth/confirm', proof);
    const change = { currentPassword: wrongPassword, newPassword };
    for (let tries = 0; tries < 3; tries += 1)
      expect((await user.client.put('/api/auth/change-password', change)).status).toBe(400);
    expect(await attemptsUntilThrottled(() => confirm({ password: wrongPassword }), 400)).toBe(3);
    expectTooMany(await confirm({ password: testPassword }));
    expectTooMany(await confirm({ password: 'short' }));
    const code = wrongTotpCode(secret, app.clock.now());
    expect(await attemptsUntilThrottled(() => confirm({ code }), 400)).toBe(6);
    expectTooMany(await confirm({ code: totpCode(secret, app.clock.now()) }));
    expectTooMany(await confirm({ code: '' }));
    expect((await user.client.get('/api/auth/verify')).status).toBe(200);
  });

  it('POST /api/auth/mfa/disable, for the password', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const disable = (password: string) =>
      user.client.post('/api/auth/mfa/disable', { password, code: nextTotpCode(app, secret) });
    const wrong = { password: wrongPassword, code: '123456' };
    const attempt = () => user.client.post('/api/auth/mfa/disable', wrong);
    expect(await attemptsUntilThrottled(attempt, 400)).toBe(6);
    expectTooMany(await user.client.post('/api/auth/mfa/disable', { ...wrong, password: testPassword }));
    expectTooMany(await user.client.post('/api/auth/mfa/disable', { ...wrong, password: 'short' }));
    // The next code comes 30 seconds later, after the wait.
    expect((await disable(testPassword)).status).toBe(200);
  });

  it('POST /api/auth/mfa/disable together with verify-login, for the code', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const wrong = wrongTotpCode(secret, app.clock.now());
    const disable = (code: string) =>
      user.client.post('/api/auth/mfa/disable', { password: testPassword, code });
    for (let tries = 0; tries < 3; tries += 1) expect((await disable(wrong)).status).toBe(400);
    const verify = async () => verifyLogin(app, await mfaToken(app, user.email), wrong);
    expect(await attemptsUntilThrottled(verify, 401)).toBe(3);
    expectTooMany(await disable(wrong));
  });

  it('POST /api/auth/mfa/verify-login, across any number of sign-ins', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const wrong = wrongTotpCode(secret, app.clock.now());
    const tokens: string[] = [];
    for (let n = 0; n < 5; n += 1) tokens.push(await mfaToken(app, user.email));
    const answers = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 5 }, () => verifyLogin(app, token, wrong))),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(6);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(19);
    const token = await mfaToken(app, user.email);
    for (const code of [totpCode(secret, app.clock.now()), ''])
      expectTooMany(await verifyLogin(app, token, code));
  });

  it('POST /api/auth/mfa/setup/verify', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = (await user.client.post('/api/auth/mfa/setup/start')).body;
    const code = wrongTotpCode(secret, app.clock.now());
    const verify = (sent = code) => user.client.post('/api/auth/mfa/setup/verify', { code: sent });
    expect(await attemptsUntilThrottled(() => verify(), 400)).toBe(6);
    expectTooMany(await verify(''));
  });

  it('POST /api/auth/register', async () => {
    const empty = await startTestApp();
    stopClock(empty);
    const register = (setup_code: string) =>
      empty.client().post('/api/auth/register', {
        name: 'X',
        email: 'x@example.com',
        password: testPassword,
        setup_code,
      });
    expect(await attemptsUntilThrottled(() => register('wrong'), 403)).toBe(6);
    expectTooMany(await register(setupCode(empty.deps)));
    expectTooMany(await register(''));
    empty.clock.advance(2_000);
    expect((await register(setupCode(empty.deps))).status).toBe(201);
  });
});
