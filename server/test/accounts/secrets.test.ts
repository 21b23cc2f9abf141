import type { Answer, Client } from '@customer-database/testkit/client';
import { allTablesAsText, leakedInto } from '@customer-database/testkit/leaks';
import { login, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

const email = 'first@example.com';
const passwords = {
  'first password': 'the very first password',
  'second password': 'the second password, chosen later',
  'mistyped password': 'the very frist password',
};

let app: TestApp;
const answers: Answer[] = [];
/** `secrets` must be in no log and no table, `codes` in no log. */
const secrets: Record<string, string> = { ...passwords };
const codes: Record<string, string> = {};

function keep(answer: Answer, status: number): Answer {
  expect(answer.status).toBe(status);
  answers.push(answer);
  return answer;
}

async function signInAndMistype(): Promise<Client> {
  keep(await login(app, email, passwords['mistyped password']), 401);
  keep(await login(app, passwords['first password'], passwords['first password']), 400);
  const session = keep(await login(app, email, passwords['first password']), 200);
  secrets['first token'] = session.body.token;
  return app.client(session.body.token);
}

async function useMfa(client: Client): Promise<void> {
  const { secret, confirmCode, recoveryCodes } = await enableMfa(app, { client });
  Object.assign(secrets, { seed: secret });
  for (const [index, code] of recoveryCodes.entries()) secrets[`recovery code ${index}`] = code;
  codes.confirm = confirmCode;
  codes.wrong = wrongTotpCode(secret, app.clock.now());
  codes['sign-in'] = nextTotpCode(app, secret);
  for (const [code, status] of [
    [codes.wrong, 401],
    [codes['sign-in'], 200],
    [recoveryCodes[0] ?? '', 200],
  ] as const) {
    const { mfa_token } = keep(await login(app, email, passwords['second password']), 200).body;
    secrets[`token that waited for ${code}`] = mfa_token;
    const answer = keep(await verifyLogin(app, mfa_token, code), status);
    if (status === 200) secrets[`session of ${code}`] = answer.body.token;
  }
  codes.disabling = nextTotpCode(app, secret);
  const body = { password: passwords['second password'], code: codes.disabling };
  keep(await client.post('/api/auth/mfa/disable', body), 200);
}

/** Requests that fail in ways that make servers log their input. */
async function goWrong(client: Client): Promise<void> {
  const broken = `{"email":"${email}","password":"${passwords['first password']}"`;
  const json = { 'content-type': 'application/json' };
  keep(await app.client().send('/api/auth/login', { method: 'POST', headers: json, body: broken }), 400);
  const form = { 'content-type': 'text/plain' };
  keep(await app.client().send('/api/auth/login', { method: 'POST', headers: form, body: broken }), 415);
  keep(await app.client().get(`/api/nowhere?token=${secrets['first token']}`), 404);
  await app.pool.query("alter table users add constraint forced check (name <> 'Forced') not valid");
  keep(await client.put('/api/auth/profile', { name: 'Forced' }), 500);
  await app.pool.query('alter table users drop constraint forced');
}

beforeAll(async () => {
  app = await startTestApp();
  const registration = { name: 'First', email, password: passwords['first password'] };
  secrets['setup code'] = setupCode(app.deps);
  const attempt = { ...registration, setup_code: secrets['setup code'] };
  keep(await app.client().post('/api/auth/register', attempt), 201);
  const client = await signInAndMistype();
  const change = {
    currentPassword: passwords['first password'],
    newPassword: passwords['second password'],
  };
  const mistyped = { ...change, currentPassword: passwords['mistyped password'] };
  keep(await client.put('/api/auth/change-password', mistyped), 400);
  keep(await client.put('/api/auth/change-password', change), 200);
  await useMfa(client);
  const invited = keep(await client.post('/api/auth/invite', { email: 'second@example.com' }), 201);
  secrets['temporary password'] = invited.body.temporary_password;
  keep(await login(app, 'second@example.com', invited.body.temporary_password), 200);
  await goWrong(client);
  keep(await client.post('/api/auth/logout'), 200);
});

describe('after all that', () => {
  it('no log contains a password, a token, a seed or a code', async () => {
    const logs = app.logs();
    expect(logs).toContain('/api/auth/mfa/verify-login');
    expect(logs).toContain('request failed');
    expect(Object.keys(secrets).length).toBeGreaterThan(15);
    expect(leakedInto(logs, { ...secrets, ...codes })).toEqual([]);
    const { rows } = await app.pool.query<{ password_hash: string }>('select password_hash from users');
    for (const { password_hash } of rows) expect(logs).not.toContain(password_hash);
    expect(logs).not.toContain('argon2id');
  });

  it('no table contains a password, a token, a seed or a recovery code', async () => {
    const tables = await allTablesAsText(app.pool);
    expect(tables).toContain(email);
    expect(leakedInto(tables, secrets)).toEqual([]);
  });

  it('no response contained a hash, a key or server internals', () => {
    expect(answers.length).toBeGreaterThan(12);
    for (const { body } of answers) {
      const text = JSON.stringify(body);
      expect(text).not.toMatch(
        /argon2|_hash|mfa_secret|mfa_last_step|node_modules|\.ts\b|constraint|select /,
      );
    }
    const [forced] = answers.filter((answer) => answer.status === 500);
    expect(forced?.body).toEqual({
      error: 'Something went wrong on our side. Please try again.',
      code: 'INTERNAL_ERROR',
      request_id: expect.any(String),
    });
  });

  it('no error response repeated its input', () => {
    const failures = answers.filter((answer) => answer.status >= 400).map((answer) => answer.body);
    expect(failures.length).toBeGreaterThan(6);
    expect(leakedInto(JSON.stringify(failures), { ...secrets, ...codes })).toEqual([]);
  });
});
