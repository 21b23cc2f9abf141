import { breakActivityLog } from '@customer-database/testkit/activity';
import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { Browser } from '@customer-database/testkit/browser';
import type { Answer } from '@customer-database/testkit/client';
import { issueLink, pdfForm, uploadForm } from '@customer-database/testkit/documents';
import {
  aPdf,
  customerFields,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  testPassword,
  unique,
  uploadBody,
} from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { OidcSignIn } from '@customer-database/testkit/oidc-sign-in';
import { login, mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, totpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let customerId: number;
let documentId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  customerId = (await makeCustomer(admin.client)).id;
  documentId = (await makeDocument(admin.client, customerId)).id;
});

async function expectNothingChanges(server: TestApp, change: () => Promise<Answer>): Promise<void> {
  const before = await fingerprintOf(server);
  const repair = await breakActivityLog(server);
  const answer = await change().finally(repair);
  expect(answer.status).toBe(500);
  expect(answer.body).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(JSON.stringify(answer.body)).not.toContain('disk full');
  expect(await fingerprintOf(server)).toEqual(before);
}

async function makePasskey() {
  const { client } = await makeUser(app, 'staff');
  const device = new SoftwareAuthenticator(app.url);
  const { options, state } = (await client.post('/api/auth/passkeys/setup/start')).body;
  const added = { state, name: 'Phone', response: device.register(options) };
  const { body } = await client.post('/api/auth/passkeys/setup/verify', added);
  return { client, device, id: body.passkey.id };
}

describe('When the log cannot be written', () => {
  /** Prepares what the call needs, then returns the call. */
  type Change = () => (() => Promise<Answer>) | Promise<() => Promise<Answer>>;

  const changes: [string, Change][] = [
    ['POST /api/customers', () => () => admin.client.post('/api/customers', customerFields())],
    [
      'PUT /api/customers/{id}',
      () => () => admin.client.put(`/api/customers/${customerId}`, { city: unique('City') }),
    ],
    [
      'DELETE /api/customers/{id}',
      async () => {
        const { id } = await makeCustomer(admin.client);
        return () => admin.client.delete(`/api/customers/${id}`);
      },
    ],
    ['POST /api/documents', () => () => admin.client.post('/api/documents', uploadBody(customerId))],
    [
      'POST /api/documents/upload',
      () => () => uploadForm(admin.client, pdfForm(customerId), '/api/documents/upload'),
    ],
    [
      'PUT /api/documents/{id}',
      () => () => admin.client.put(`/api/documents/${documentId}`, { description: unique('Text') }),
    ],
    ['DELETE /api/documents/{id}', () => () => admin.client.delete(`/api/documents/${documentId}`)],
    [
      'PUT /api/auth/profile',
      () => () => staff.client.put('/api/auth/profile', { phone_number: unique('0') }),
    ],
    [
      'PUT /api/auth/change-password',
      () => () =>
        staff.client.put('/api/auth/change-password', {
          currentPassword: testPassword,
          newPassword: unique('new'),
        }),
    ],
    [
      'POST /api/auth/invite',
      () => () => admin.client.post('/api/auth/invite', { email: `${unique('i')}@example.com` }),
    ],
    ['POST /api/auth/login', () => () => login(app, staff.email)],
    ['POST /api/auth/logout', () => () => staff.client.post('/api/auth/logout')],
    [
      'POST /api/auth/confirm',
      async () => {
        const { client } = await makeUser(app, 'staff');
        return () => client.post('/api/auth/confirm', { password: testPassword });
      },
    ],
    [
      'POST /api/auth/mfa/setup/verify',
      async () => {
        const { client } = await makeUser(app, 'staff');
        const { secret } = (await client.post('/api/auth/mfa/setup/start')).body;
        return () => client.post('/api/auth/mfa/setup/verify', { code: totpCode(secret, app.clock.now()) });
      },
    ],
    [
      'POST /api/auth/mfa/verify-login',
      async () => {
        const user = await makeUser(app, 'staff');
        const { secret } = await enableMfa(app, user);
        const token = await mfaToken(app, user.email);
        return () => verifyLogin(app, token, nextTotpCode(app, secret));
      },
    ],
    [
      'POST /api/auth/mfa/disable',
      async () => {
        const user = await makeUser(app, 'staff');
        const { secret } = await enableMfa(app, user);
        const proof = { password: testPassword, code: nextTotpCode(app, secret) };
        return () => user.client.post('/api/auth/mfa/disable', proof);
      },
    ],
    ...['reset-password', 'reset-mfa', 'end-sessions', 'disable'].map((action): [string, Change] => [
      `POST /api/users/{id}/${action}`,
      async () => {
        const { id } = await makeUser(app, 'staff');
        return () => admin.client.post(`/api/users/${id}/${action}`);
      },
    ]),
    ...['resend-invitation', 'withdraw-invitation'].map((action): [string, Change] => [
      `POST /api/users/{id}/${action}`,
      async () => {
        const email = `${unique('i')}@example.com`;
        const { user } = (await admin.client.post('/api/auth/invite', { email })).body;
        return () => admin.client.post(`/api/users/${user.id}/${action}`);
      },
    ]),
    [
      'POST /api/users/{id}/enable',
      async () => {
        const { id } = await makeUser(app, 'staff');
        await admin.client.post(`/api/users/${id}/disable`);
        return () => admin.client.post(`/api/users/${id}/enable`);
      },
    ],
    [
      'PUT /api/users/{id}',
      async () => {
        const { id } = await makeUser(app, 'staff');
        return () => admin.client.put(`/api/users/${id}`, { name: 'Other', role: 'admin' });
      },
    ],
    [
      'POST /api/auth/passkeys/setup/verify',
      async () => {
        const { client } = await makeUser(app, 'staff');
        const { options, state } = (await client.post('/api/auth/passkeys/setup/start')).body;
        const response = new SoftwareAuthenticator(app.url).register(options);
        return () => client.post('/api/auth/passkeys/setup/verify', { state, name: 'Phone', response });
      },
    ],
    [
      'POST /api/auth/passkeys/sign-in/finish',
      async () => {
        const { device } = await makePasskey();
        const { options, state } = (await app.client().post('/api/auth/passkeys/sign-in/start')).body;
        const response = device.authenticate(options);
        return () => app.client().post('/api/auth/passkeys/sign-in/finish', { state, response });
      },
    ],
    [
      'PUT /api/auth/passkeys/{id}',
      async () => {
        const { client, id } = await makePasskey();
        return () => client.put(`/api/auth/passkeys/${id}`, { name: 'Other' });
      },
    ],
    [
      'DELETE /api/auth/passkeys/{id}',
      async () => {
        const { client, id } = await makePasskey();
        return () => client.delete(`/api/auth/passkeys/${id}`);
      },
    ],
    [
      'POST /api/auth/tokens',
      async () => {
        const { client } = await makeUser(app, 'staff');
        return () => client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' });
      },
    ],
    [
      'DELETE /api/auth/tokens/{id}',
      async () => {
        const { client } = await makeUser(app, 'staff');
        const { body } = await client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' });
        return () => client.delete(`/api/auth/tokens/${body.api_token.id}`);
      },
    ],
    [
      'DELETE /api/auth/sessions/{id}',
      async () => {
        const { client } = await makeUser(app, 'staff');
        const [session] = (await client.get('/api/auth/sessions')).body.sessions;
        return () => client.delete(`/api/auth/sessions/${session.id}`);
      },
    ],
    [
      'DELETE /api/auth/sessions',
      async () => {
        const { client } = await makeUser(app, 'staff');
        return () => client.delete('/api/auth/sessions');
      },
    ],
  ];

  it.each(changes)('%s changes nothing', async (_, change) => {
    await expectNothingChanges(app, await change());
  });

  it('POST /api/auth/register changes nothing', async () => {
    const empty = await startTestApp();
    const first = { name: 'First', email: 'first@example.com', password: testPassword };
    const setup_code = setupCode(empty.deps);
    await expectNothingChanges(empty, () =>
      empty.client().post('/api/auth/register', { ...first, setup_code }),
    );
  });

  it('POST /api/auth/oidc/finish changes nothing', async () => {
    const company = await OidcSignIn.start();
    const server = await company.startApp({ OIDC_PROVISION: 'staff' });
    const { sub } = company.person();
    expect((await company.signIn(sub, server)).status).toBe(200);
    const browser = new Browser();
    await company.openCallback(browser, await company.toCallback(browser, server), server);
    await expectNothingChanges(server, () => company.finish(browser, server));
  });

  it('is tested here for every call that writes', () => {
    const onlyRead = [
      'POST /api/customers/search',
      'POST /api/documents/search',
      'POST /api/documents/check-duplicate',
    ];
    // Switches nothing on: only its confirmation has a row.
    const withoutRow = [
      'POST /api/auth/mfa/setup/start',
      'POST /api/auth/passkeys/setup/start',
      'POST /api/auth/passkeys/confirm/start',
      'POST /api/auth/passkeys/sign-in/start',
    ];
    const writing = operationsOf(apiDocument(app)).filter(({ method }) => method !== 'GET');
    const tried = [...changes.map(([name]) => name), 'POST /api/auth/register', 'POST /api/auth/oidc/finish'];
    expect(writing.map(({ name }) => name).sort()).toEqual([...tried, ...onlyRead, ...withoutRow].sort());
  });

  it('nothing is done for an API token', async () => {
    const { client } = await makeUser(app, 'staff');
    const { token } = (await client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' })).body;
    const repair = await breakActivityLog(app);
    const answer = await app.client(token).get('/api/customers');
    await repair();
    expect(answer.status).toBe(500);
    expect(answer.body.customers).toBeUndefined();
  });

  it('no link is issued', async () => {
    const repair = await breakActivityLog(app);
    const answers = [
      await staff.client.get(`/api/documents/${documentId}/download`),
      await staff.client.get(`/api/documents/${documentId}/view`),
    ];
    await repair();
    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(JSON.stringify(answer.body)).not.toContain('signature');
    }
  });

  it('no document is served, though its link is valid', async () => {
    const marked = await makeDocument(admin.client, customerId, {}, aPdf('Confidential'));
    const urls = [
      await issueLink(staff.client, marked.id, 'download'),
      await issueLink(staff.client, marked.id, 'view'),
    ];
    const repair = await breakActivityLog(app);
    for (const url of urls) {
      for (const init of [{}, { headers: { range: 'bytes=0-9' } }, { method: 'HEAD' }]) {
        const response = await fetch(url, init);
        expect(response.status).toBe(500);
        expect(response.headers.get('content-disposition')).toBeNull();
        expect(await response.text()).not.toContain('%PDF');
      }
    }
    await repair();
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
  });

  it('a refusal stays a refusal', async () => {
    const repair = await breakActivityLog(app);
    const answer = await staff.client.delete(`/api/documents/${documentId}`).finally(repair);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await admin.client.get(`/api/documents/${documentId}`)).status).toBe(200);
  });

  it('a user cannot be disabled from the command line either', async () => {
    const repair = await breakActivityLog(app);
    await expect(setUserDisabled(systemContext(app.deps), staff.id, true).finally(repair)).rejects.toThrow();
    expect((await staff.client.get('/api/auth/verify')).status).toBe(200);
  });
});
