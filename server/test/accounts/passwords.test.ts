import { makeAccount, makeUser, testPassword, unique } from '@customer-database/testkit/factories';
import { behindProxy, login, mfaToken, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { hash } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { beforeAll, describe, expect, it } from 'vitest';
import { weaknessOf } from '../../src/crypto/password-strength.ts';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
});

const parameters = '$argon2id$v=19$m=19456,t=2,p=1$';

async function storedHash(server: TestApp, email: string): Promise<string> {
  const { rows } = await server.pool.query('select password_hash from users where email = $1', [email]);
  return rows[0].password_hash;
}

/** An account whose password was set through the API. */
async function accountWith(newPassword: string): Promise<string> {
  const user = await makeUser(app, 'staff');
  const body = { currentPassword: testPassword, newPassword };
  const answer = await user.client.put('/api/auth/change-password', body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return user.email;
}

describe('which passwords are accepted', () => {
  it.each([
    ['64 characters', 'Seven otters swim past the old mill, and one of them looks back!'],
    ['1024 characters', 'Otters swim past the mill. '.repeat(38).slice(0, 1023).concat('!')],
    ['blanks inside and around', '  two  blanks  '],
    ['any script', 'пароль-密码-كلمة-🔑'],
    ['six emoji', '🦊🦉🦔🦋🐢🐝'],
    ['small letters alone', 'yxmvqpelkbtw'],
    ['six that follow no pattern', 'xk7q2m'],
    ['digits alone', '83920174655'],
  ])('%s', async (_case, password) => {
    const email = await accountWith(password);
    expect((await login(app, email, password)).status).toBe(200);
    expect((await login(app, email, `${[...password].slice(0, -1).join('')}.`)).status).toBe(401);
  });

  it('to the last character: 72 equal ones are not enough', async () => {
    const start = 'otters swim '.repeat(6);
    const email = await accountWith(`${start}the right end`);
    expect((await login(app, email, `${start}the wrong end`)).status).toBe(401);
    expect((await login(app, email, start)).status).toBe(401);
    expect((await login(app, email, `${start}the right end`)).status).toBe(200);
  });

  it('in their own case, and with their own blanks', async () => {
    const email = await accountWith(' Tame Otters ');
    for (const other of ['Tame Otters', ' tame otters ', ' Tame Otters']) {
      expect((await login(app, email, other)).status).toBe(401);
    }
    expect((await login(app, email, ' Tame Otters ')).status).toBe(200);
  });

  it('however a keyboard composes their letters', async () => {
    const email = await accountWith('Zoë’s Ångström'.normalize('NFC'));
    expect((await login(app, email, 'Zoë’s Ångström'.normalize('NFD'))).status).toBe(200);
  });
});

describe('which passwords are refused', () => {
  it.each([
    '123456',
    'password',
    'PassWord',
    'qwerty',
    'iloveyou',
    'password1',
    'trustno1',
    'customerdatabase',
    'Customer Database',
    'documents',
  ])('%s, which everybody tries', async (newPassword) => {
    const user = await makeUser(app, 'staff');
    const body = { currentPassword: testPassword, newPassword };
    const answer = await user.client.put('/api/auth/change-password', body);
    const text = 'This password is too common. Please choose another one.';
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, fields: { newPassword: text } });
  });

  async function refusalOf(newPassword: string): Promise<string> {
    const { client } = await makeUser(app, 'staff', { name: 'Zoë Ångström' });
    await client.put('/api/auth/profile', { email: `${unique('lutra')}.rivers@company.example` });
    const { email } = (await client.get('/api/auth/verify')).body.user;
    const body = { currentPassword: testPassword, newPassword: newPassword || email };
    const answer = await client.put('/api/auth/change-password', body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ newPassword: answer.body.error });
    return answer.body.error;
  }
  const advice = 'Several words that have nothing to do with each other make a good one.';

  it.each([
    // The empty one stands for their email.
    ...['', 'Zoë Ångström', 'zoëångström1', 'Ångström2026!', 'Rivers2026!', 'Company7!'],
    ...['CustomerDatabase2026!', 'customer database 1', 'D0cuments2026!'],
  ])("'%s', made of the person's or the product's words", async (newPassword) => {
    const text = 'This password is easy to guess from your name, your email or the name of this product.';
    expect(await refusalOf(newPassword)).toBe(`${text} ${advice}`);
  });

  it.each([
    ...['Passw0rd!', 'summer2026', 'Summer2026!', 'Summ3r2026!', 'Welcome1!', 'Ｄragon123!', 'letmein2024!'],
    ...['aaaaaaaaaaaa', 'abcdefgh1', '19850412', 'monkeymonkeymonkey', 'x1'.repeat(500)],
  ])('%s, which programs try first', async (newPassword) => {
    expect(await refusalOf(newPassword)).toBe(`This password is too easy to guess. ${advice}`);
  });

  it('at little cost, however long they are', async () => {
    await weaknessOf('the lists are loaded now', []);
    for (const text of ['p@55w0rd', '1!|', '112233445566778899', '4@8({[</369&#!1/|0$5+7%2']) {
      const before = process.cpuUsage();
      await weaknessOf(text.repeat(200).slice(0, 1024), []);
      expect(process.cpuUsage(before).user / 1000, text).toBeLessThan(200);
    }
  });

  it('the thousands of most common ones', async () => {
    const user = await makeUser(app, 'staff');
    const longEnough = dictionary['passwords-common'].filter((password) => password.length >= 6);
    for (const newPassword of longEnough.slice(0, 3_000).filter((_, rank) => rank % 60 === 59)) {
      const body = { currentPassword: testPassword, newPassword };
      const answer = await user.client.put('/api/auth/change-password', body);
      expect(answer.status, newPassword).toBe(400);
      expect(answer.body.error, newPassword).toMatch('too common');
    }
  });

  it('those shorter than PASSWORD_MIN_LENGTH, which the error names', async () => {
    const strict = await startTestApp({ env: { PASSWORD_MIN_LENGTH: '12' } });
    const registration = { name: 'First', email: 'first@example.com', setup_code: setupCode(strict.deps) };
    const register = (password: string) =>
      strict.client().post('/api/auth/register', { ...registration, password });
    expect((await register('elevenchars')).body.error).toBe('Password must be at least 12 characters');
    expect((await register('twelve chars')).status).toBe(201);
    const { token } = (await login(strict, 'first@example.com', 'twelve chars')).body;
    const change = (newPassword: string) =>
      strict.client(token).put('/api/auth/change-password', { currentPassword: 'twelve chars', newPassword });
    const answer = await change('elevenchars');
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ newPassword: 'New password must be at least 12 characters' });
    expect((await change('just twelve!')).status).toBe(200);
    // Older, shorter passwords still work.
    expect((await login(strict, 'nobody@example.com', 'sixsix')).status).toBe(401);
  });
});

describe('how passwords are stored', () => {
  it('as argon2id with 19 MiB, 2 passes, 1 lane and their own salt', async () => {
    const fresh = await startTestApp();
    const boss = { name: 'Boss', email: 'boss@example.com', password: testPassword };
    await fresh.client().post('/api/auth/register', { ...boss, setup_code: setupCode(fresh.deps) });
    const { token } = (await login(fresh, boss.email)).body;
    const email = `${unique('invited')}@example.com`;
    await fresh.client(token).post('/api/auth/invite', { email });
    const registered = await storedHash(fresh, boss.email);
    const invited = await storedHash(fresh, email);
    const changed = await storedHash(app, await accountWith('the same words'));
    const changedToo = await storedHash(app, await accountWith('the same words'));
    for (const stored of [registered, invited, changed, changedToo]) expect(stored).toContain(parameters);
    expect(changed).not.toBe(changedToo);
  });

  const weaker = () => hash(testPassword, { memoryCost: 4096, timeCost: 1, parallelism: 1 });

  async function weaken(email: string): Promise<string> {
    const stored = await weaker();
    await app.pool.query('update users set password_hash = $1 where email = $2', [stored, email]);
    return stored;
  }

  it('rehashed at the next sign-in, when the hash is weaker', async () => {
    const { email } = await makeAccount(app, 'staff');
    const stored = await weaken(email);
    expect((await login(app, email, wrongPassword)).status).toBe(401);
    expect(await storedHash(app, email)).toBe(stored);
    expect((await login(app, email)).status).toBe(200);
    const redone = await storedHash(app, email);
    expect(redone).toContain(parameters);
    expect((await login(app, email)).status).toBe(200);
    expect(await storedHash(app, email)).toBe(redone);
  });

  it('rehashed also where MFA is on', async () => {
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    await weaken(user.email);
    await mfaToken(app, user.email);
    expect(await storedHash(app, user.email)).toContain(parameters);
  });

  it('rehashed by one of several concurrent sign-ins, all of which succeed', async () => {
    const { email } = await makeAccount(app, 'staff');
    await weaken(email);
    const answers = await Promise.all([1, 2, 3].map(() => login(app, email)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(await storedHash(app, email)).toContain(parameters);
  });
});
