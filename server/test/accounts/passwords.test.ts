import {
  makeAccount,
  makeUser,
  type TestUser,
  testPassword,
  unique,
} from '@customer-database/testkit/factories';
import { behindProxy, login, mfaToken, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { hash } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { beforeAll, describe, expect, it } from 'vitest';
import { weaknessOf } from '../../src/crypto/password-strength.ts';
import { hashPassword, verifyPassword } from '../../src/crypto/passwords.ts';
import { checkNewPassword } from '../../src/modules/accounts/passwords/policy.ts';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
});

const parameters = '$argon2id$v=19$m=19456,t=2,p=1$';

async function storedHash(email: string): Promise<string> {
  const { rows } = await app.pool.query('select password_hash from users where email = $1', [email]);
  return rows[0].password_hash;
}

async function changePassword(user: TestUser, newPassword: string): Promise<void> {
  const body = { currentPassword: testPassword, newPassword };
  expect((await user.client.put('/api/auth/change-password', body)).body.error).toBeUndefined();
}

describe('a password', () => {
  it.each([
    ['1,024 characters', 'Otters swim past the mill. '.repeat(38).slice(0, 1023).concat('!')],
    ['blanks inside and around', '  Two  Blanks  '],
    ['six emoji', '🦊🦉🦔🦋🐢🐝'],
  ])('may have %s, and each character counts', async (_case, password) => {
    const user = await makeUser(app, 'staff');
    await changePassword(user, password);
    expect((await login(app, user.email, password)).status).toBe(200);
    expect((await login(app, user.email, `${[...password].slice(0, -1).join('')}.`)).status).toBe(401);
  });

  it('keeps its case, and is the same however a keyboard composes its letters', async () => {
    const stored = await hashPassword(' Zoë’s Ångström '.normalize('NFC'));
    expect(await verifyPassword(stored, ' Zoë’s Ångström '.normalize('NFD'))).toBe(true);
    for (const other of ['Zoë’s Ångström', ' zoë’s ångström ', ' Zoë’s Ångström'])
      expect(await verifyPassword(stored, other)).toBe(false);
  });
});

describe('a new password', () => {
  const owner = { name: 'Zoë Ångström', email: 'lutra.rivers@company.example' };
  const check = (password: string) => checkNewPassword(app.deps.config, password, 'newPassword', owner);

  async function expectRefused(password: string, text: string): Promise<void> {
    await expect(check(password), password).rejects.toMatchObject({
      message: text,
      fields: { newPassword: text },
    });
  }

  it.each(['пароль-密码-كلمة-🔑', 'yxmvqpelkbtw', 'xk7q2m', '83920174655'])(
    "may be '%s', which follows no pattern",
    async (password) => {
      await check(password);
    },
  );

  const tooCommon = 'This password is too common. Please choose another one.';

  it.each([
    ...['123456', 'password', 'PassWord', 'qwerty', 'iloveyou', 'password1', 'trustno1'],
    ...['customerdatabase', 'Customer Database', 'documents'],
  ])("is refused as '%s', which is common", (password) => expectRefused(password, tooCommon));

  it('is refused if it is one of the most common ones', async () => {
    const longEnough = dictionary['passwords-common'].filter((password) => password.length >= 6);
    for (const password of longEnough.slice(0, 3_000)) await expectRefused(password, tooCommon);
  });

  const advice = 'Several words that have nothing to do with each other make a good one.';

  it.each([
    ...[owner.email, 'Zoë Ångström', 'zoëångström1', 'Ångström2026!', 'Rivers2026!', 'Company7!'],
    ...['CustomerDatabase2026!', 'customer database 1', 'D0cuments2026!'],
  ])("is refused as '%s', made of words of the user or the product", (password) => {
    const text = 'This password is easy to guess from your name, your email or the name of this product.';
    return expectRefused(password, `${text} ${advice}`);
  });

  it.each([
    ...['Passw0rd!', 'summer2026', 'Summer2026!', 'Summ3r2026!', 'Welcome1!', 'Ｄragon123!', 'letmein2024!'],
    ...['aaaaaaaaaaaa', 'abcdefgh1', '19850412', 'monkeymonkeymonkey', 'x1'.repeat(500)],
  ])("is refused as '%s', which programs try first", (password) =>
    expectRefused(password, `This password is too easy to guess. ${advice}`),
  );

  it('costs little to check, however long it is', async () => {
    await weaknessOf('the lists are loaded now', []);
    for (const text of ['p@55w0rd', '1!|', '112233445566778899', '4@8({[</369&#!1/|0$5+7%2']) {
      // The least of three: compiling and collecting garbage are not part of the check.
      const costs: number[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const before = process.cpuUsage();
        await weaknessOf(text.repeat(200).slice(0, 1024), []);
        costs.push(process.cpuUsage(before).user / 1000);
      }
      expect(Math.min(...costs), text).toBeLessThan(200);
    }
  });

  it('is checked against the name and email of the user who changes it', async () => {
    const { client, email } = await makeUser(app, 'staff');
    const body = { currentPassword: testPassword, newPassword: email };
    const answer = await client.put('/api/auth/change-password', body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields.newPassword).toMatch(/^This password is easy to guess from your name/);
  });

  it('has at least PASSWORD_MIN_LENGTH characters, which the error names', async () => {
    const strict = await startTestApp({ env: { PASSWORD_MIN_LENGTH: '12' } });
    const registration = { name: 'First', email: 'first@example.com', setup_code: setupCode(strict.deps) };
    const register = (password: string) =>
      strict.client().post('/api/auth/register', { ...registration, password });
    expect((await register('elevenchars')).body.error).toBe('Password must be at least 12 characters');
    expect((await register('twelve chars')).status).toBe(201);
    const { token } = (await login(strict, 'first@example.com', 'twelve chars')).body;
    const change = (newPassword: string) =>
      strict.client(token).put('/api/auth/change-password', { currentPassword: 'twelve chars', newPassword });
    expect((await change('elevenchars')).body.fields).toEqual({
      newPassword: 'New password must be at least 12 characters',
    });
    expect((await change('just twelve!')).status).toBe(200);
    // The length is not checked at sign-in, where older passwords still work.
    expect((await login(strict, 'unknown@example.com', 'sixsix')).status).toBe(401);
  });
});

describe('a stored password', () => {
  it('is an argon2id hash with 19 MiB, 2 passes, 1 lane and a new salt', async () => {
    const [user, other] = [await makeUser(app, 'admin'), await makeUser(app, 'staff')];
    const email = `${unique('invited')}@example.com`;
    await user.client.post('/api/auth/invite', { email });
    for (const changed of [user, other]) await changePassword(changed, 'the same words');
    const hashes = await Promise.all([email, user.email, other.email].map((of) => storedHash(of)));
    for (const stored of hashes) expect(stored).toContain(parameters);
    expect(hashes[1]).not.toBe(hashes[2]);
  });

  async function weaken(email: string): Promise<string> {
    const stored = await hash(testPassword, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    await app.pool.query('update users set password_hash = $1 where email = $2', [stored, email]);
    return stored;
  }

  it('is hashed again at the next sign-in if the hash is weaker', async () => {
    const { email } = await makeAccount(app, 'staff');
    const stored = await weaken(email);
    expect((await login(app, email, wrongPassword)).status).toBe(401);
    expect(await storedHash(email)).toBe(stored);
    expect((await login(app, email)).status).toBe(200);
    const redone = await storedHash(email);
    expect(redone).toContain(parameters);
    expect((await login(app, email)).status).toBe(200);
    expect(await storedHash(email)).toBe(redone);
  });

  it('is hashed again also if MFA is on', async () => {
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    await weaken(user.email);
    await mfaToken(app, user.email);
    expect(await storedHash(user.email)).toContain(parameters);
  });

  it('is hashed again by one of several concurrent sign-ins, all of which succeed', async () => {
    const { email } = await makeAccount(app, 'staff');
    await weaken(email);
    const answers = await Promise.all([1, 2, 3].map(() => login(app, email)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(await storedHash(email)).toContain(parameters);
  });
});
