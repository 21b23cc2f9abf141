import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import type { Answer } from '@customer-database/testkit/client';
import { CompanySignIn } from '@customer-database/testkit/company-sign-in';
import { pdfForm, uploadForm } from '@customer-database/testkit/documents';
import {
  customerFields,
  makeUser,
  type TestUser,
  testPassword,
  uploadBody,
} from '@customer-database/testkit/factories';
import { login, verifyLogin } from '@customer-database/testkit/sign-in';
import type { TestApp } from '@customer-database/testkit/test-app';
import { nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';

let app: TestApp;
let admin: TestUser;
/** The successful response of each call. */
const answers: { name: string; answer: Answer }[] = [];
/** As the authenticator app got it. */
let seed: string;

async function keep(name: string, call: () => Promise<Answer>): Promise<Answer> {
  const answer = await call();
  expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  answers.push({ name, answer });
  return answer;
}

const send = (name: string, body?: unknown, id?: number) => {
  const [method = '', path = ''] = name.split(' ');
  return keep(name, () =>
    admin.client.send(path.replace('{id}', String(id)), {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    }),
  );
};

async function useAccount(): Promise<void> {
  await send('GET /api/auth/verify');
  await send('PUT /api/auth/profile', { phone_number: '030 1' });
  await send('POST /api/auth/invite', { email: 'invited@example.com' });
  const newPassword = 'a brand new passphrase';
  await send('PUT /api/auth/change-password', { currentPassword: testPassword, newPassword });
  await send('POST /api/auth/confirm', { password: newPassword });
  seed = (await send('POST /api/auth/mfa/setup/start', {})).body.secret;
  await send('POST /api/auth/mfa/setup/verify', { code: nextTotpCode(app, seed) });
  const asked = await keep('POST /api/auth/login', () => login(app, admin.email, newPassword));
  const code = nextTotpCode(app, seed);
  await keep('POST /api/auth/mfa/verify-login', () => verifyLogin(app, asked.body.mfa_token, code));
  // Again, now that there is a seed to leak.
  expect((await send('GET /api/auth/verify')).body.user.mfa_enabled).toBe(true);
  await send('PUT /api/auth/profile', { phone_number: '030 2' });
}

async function usePasskeys(): Promise<void> {
  const device = new SoftwareAuthenticator(app.deps.config.publicUrl ?? app.url);
  const setup = (await send('POST /api/auth/passkeys/setup/start')).body;
  const added = { state: setup.state, name: 'Phone', response: device.register(setup.options) };
  const { id } = (await send('POST /api/auth/passkeys/setup/verify', added)).body.passkey;
  await send('GET /api/auth/passkeys');
  await send('PUT /api/auth/passkeys/{id}', { name: 'Laptop' }, id);
  const again = (await send('POST /api/auth/passkeys/confirm/start')).body;
  const passkey = { state: again.state, response: device.authenticate(again.options) };
  await send('POST /api/auth/confirm', { passkey });
  const asked = (await send('POST /api/auth/passkeys/sign-in/start')).body;
  const proof = { state: asked.state, response: device.authenticate(asked.options) };
  await send('POST /api/auth/passkeys/sign-in/finish', proof);
}

async function useTokens(): Promise<void> {
  await send('POST /api/auth/tokens', { name: 'Reports', scope: 'admin' });
  await send('GET /api/auth/tokens');
}

async function useUsers(): Promise<void> {
  const { user } = (await admin.client.post('/api/auth/invite', { email: 'managed@example.com' })).body;
  const withId = (name: string, body?: unknown) => send(name, body, user.id);
  await send('GET /api/users');
  await withId('GET /api/users/{id}');
  await withId('PUT /api/users/{id}', { name: 'Renamed', role: 'admin' });
  const actions = ['resend-invitation', 'reset-password', 'reset-mfa', 'end-sessions', 'disable', 'enable'];
  for (const action of [...actions, 'withdraw-invitation']) await withId(`POST /api/users/{id}/${action}`);
  await send('GET /api/auth/sessions');
}

async function useRecords(): Promise<void> {
  const { customer } = (await send('POST /api/customers', customerFields())).body;
  await send('GET /api/customers');
  await send('GET /api/customers/{id}', undefined, customer.id);
  await send('PUT /api/customers/{id}', { city: 'Elsewhere' }, customer.id);
  await send('POST /api/customers/search', {});
  await send('POST /api/documents/check-duplicate', { customer_id: customer.id, filename: 'a.pdf' });
  const { document } = (await send('POST /api/documents', uploadBody(customer.id))).body;
  await keep('POST /api/documents/upload', () =>
    uploadForm(admin.client, pdfForm(customer.id), '/api/documents/upload'),
  );
  await send('GET /api/documents');
  await send('GET /api/documents/{id}', undefined, document.id);
  await send('GET /api/documents/customer/{id}', undefined, customer.id);
  await send('POST /api/documents/search', {});
  await send('PUT /api/documents/{id}', { description: 'Changed' }, document.id);
  await send('GET /api/documents/{id}/text', undefined, document.id);
  await keep('GET /api/documents/{id}/hits', () =>
    admin.client.get(`/api/documents/${document.id}/hits?q=customer`),
  );
  await keep('GET /api/search', () => admin.client.get('/api/search?q=customer'));
  const { view_url } = (await send('GET /api/documents/{id}/view', undefined, document.id)).body;
  const { pathname, search } = new URL(view_url);
  for (const part of ['details', 'text', 'hits']) {
    await keep(`GET /api/documents/{id}/content/${part}`, () =>
      app.client().get(`${pathname}/${part}${search}`),
    );
  }
  await send('GET /api/documents/{id}/download', undefined, document.id);
  await send('GET /api/dashboard');
  await send('GET /api/activity');
  await send('GET /api/activity/export');
}

const textOf = ({ body, headers }: Answer) => JSON.stringify([body, [...headers]]);

/** As stored, in every encoding that a response could use. */
async function storedSecrets(): Promise<string[]> {
  const { rows: users } = await app.pool.query('select password_hash, mfa_secret from users');
  const { rows: documents } = await app.pool.query('select storage_key from documents');
  const seeds = users.flatMap(({ mfa_secret }) => mfa_secret ?? []);
  return [
    ...users.map(({ password_hash }) => password_hash),
    ...seeds.flatMap((seed: Buffer) => [seed.toString('hex'), seed.toString('base64'), [...seed].join()]),
    ...documents.map(({ storage_key }) => storage_key),
  ];
}

beforeAll(async () => {
  const company = await CompanySignIn.start();
  app = await company.startApp();
  const first = { name: 'First', email: 'first@example.com', password: testPassword };
  const setup_code = setupCode(app.deps);
  await keep('POST /api/auth/register', () =>
    app.client().post('/api/auth/register', { ...first, setup_code }),
  );
  admin = await makeUser(app, 'admin');
  await useAccount();
  await usePasskeys();
  const { sub } = company.person({ email: admin.email });
  await keep('POST /api/auth/oidc/finish', () => company.signIn(sub, app));
  await useTokens();
  await useUsers();
  await useRecords();
});

describe('API responses', () => {
  it('are checked here for every call that returns records', () => {
    const alone = /^DELETE |\/(logout|setup|mfa\/disable|content|thumbnail|health|live|ready|metrics)$/;
    const calls = operationsOf(apiDocument(app)).map(({ name }) => name);
    expect([...new Set(answers.map(({ name }) => name))].sort()).toEqual(
      calls.filter((name) => !alone.test(name)).sort(),
    );
  });

  it('contain no password hash, no encrypted seed and no storage key', async () => {
    const secrets = await storedSecrets();
    expect(secrets).toHaveLength(3 + 3 + 2);
    for (const { name, answer } of answers) {
      const text = textOf(answer);
      for (const secret of secrets) expect(text, name).not.toContain(secret);
      expect(text, name).not.toMatch(/argon2|password_hash|mfa_secret|storage_key|token_hash/);
    }
  });

  it('contain the MFA seed once, for the authenticator app', () => {
    expect(seed).toMatch(/^[A-Z2-7]{32}$/);
    const telling = answers.filter(({ answer }) => textOf(answer).includes(seed));
    expect(telling.map(({ name }) => name)).toEqual(['POST /api/auth/mfa/setup/start']);
  });

  it('put no session token into a URL', () => {
    const addresses = answers.flatMap(({ answer: { body, headers } }) => [
      ...(JSON.stringify(body).match(/\w+:\/\/[^"]+/g) ?? []),
      headers.get('location') ?? '',
    ]);
    expect(addresses.filter(Boolean).length).toBeGreaterThan(2);
    const session = answers.find(({ name }) => name === 'POST /api/auth/mfa/verify-login');
    const tokens = [admin.token, session?.answer.body.token];
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      for (const address of addresses) expect(address).not.toContain(token);
    }
  });
});
