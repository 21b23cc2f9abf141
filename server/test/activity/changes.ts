import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import type { Answer } from '@customer-database/testkit/client';
import { pdfForm, uploadForm } from '@customer-database/testkit/documents';
import {
  customerFields,
  makeCustomer,
  makeUser,
  type TestUser,
  testPassword,
  unique,
  uploadBody,
} from '@customer-database/testkit/factories';
import { login, mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import type { TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, totpCode } from '@customer-database/testkit/totp';

export type Setup = {
  app: TestApp;
  admin: TestUser;
  staff: TestUser;
  customerId: number;
  documentId: number;
};

type Call = () => Promise<Answer>;
/** Prepares what the call needs, then returns the call. */
type Change = (setup: Setup) => Call | Promise<Call>;

async function makePasskey(app: TestApp) {
  const { client } = await makeUser(app, 'staff');
  const device = new SoftwareAuthenticator(app.url);
  const { options, state } = (await client.post('/api/auth/passkeys/setup/start')).body;
  const added = { state, name: 'Phone', response: device.register(options) };
  const { body } = await client.post('/api/auth/passkeys/setup/verify', added);
  return { client, device, id: body.passkey.id };
}

const recordChanges: Record<string, Change> = {
  'POST /api/customers':
    ({ admin }) =>
    () =>
      admin.client.post('/api/customers', customerFields()),
  'PUT /api/customers/{id}':
    ({ admin, customerId }) =>
    () =>
      admin.client.put(`/api/customers/${customerId}`, { city: unique('City') }),
  'DELETE /api/customers/{id}': async ({ admin }) => {
    const { id } = await makeCustomer(admin.client);
    return () => admin.client.delete(`/api/customers/${id}`);
  },
  'POST /api/documents':
    ({ admin, customerId }) =>
    () =>
      admin.client.post('/api/documents', uploadBody(customerId)),
  'POST /api/documents/upload':
    ({ admin, customerId }) =>
    () =>
      uploadForm(admin.client, pdfForm(customerId), '/api/documents/upload'),
  'PUT /api/documents/{id}':
    ({ admin, documentId }) =>
    () =>
      admin.client.put(`/api/documents/${documentId}`, { description: unique('Text') }),
  'DELETE /api/documents/{id}':
    ({ admin, documentId }) =>
    () =>
      admin.client.delete(`/api/documents/${documentId}`),
};

const ownAccountChanges: Record<string, Change> = {
  'PUT /api/auth/profile':
    ({ staff }) =>
    () =>
      staff.client.put('/api/auth/profile', { phone_number: unique('0') }),
  'PUT /api/auth/change-password': ({ staff }) => {
    const passwords = { currentPassword: testPassword, newPassword: unique('new') };
    return () => staff.client.put('/api/auth/change-password', passwords);
  },
  'POST /api/auth/login':
    ({ app, staff }) =>
    () =>
      login(app, staff.email),
  'POST /api/auth/logout':
    ({ staff }) =>
    () =>
      staff.client.post('/api/auth/logout'),
  'POST /api/auth/confirm': async ({ app }) => {
    const { client } = await makeUser(app, 'staff');
    return () => client.post('/api/auth/confirm', { password: testPassword });
  },
  'POST /api/auth/mfa/setup/verify': async ({ app }) => {
    const { client } = await makeUser(app, 'staff');
    const { secret } = (await client.post('/api/auth/mfa/setup/start')).body;
    return () => client.post('/api/auth/mfa/setup/verify', { code: totpCode(secret, app.clock.now()) });
  },
  'POST /api/auth/mfa/verify-login': async ({ app }) => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const token = await mfaToken(app, user.email);
    return () => verifyLogin(app, token, nextTotpCode(app, secret));
  },
  'POST /api/auth/mfa/disable': async ({ app }) => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const proof = { password: testPassword, code: nextTotpCode(app, secret) };
    return () => user.client.post('/api/auth/mfa/disable', proof);
  },
  'POST /api/auth/passkeys/setup/verify': async ({ app }) => {
    const { client } = await makeUser(app, 'staff');
    const { options, state } = (await client.post('/api/auth/passkeys/setup/start')).body;
    const response = new SoftwareAuthenticator(app.url).register(options);
    return () => client.post('/api/auth/passkeys/setup/verify', { state, name: 'Phone', response });
  },
  'POST /api/auth/passkeys/sign-in/finish': async ({ app }) => {
    const { device } = await makePasskey(app);
    const { options, state } = (await app.client().post('/api/auth/passkeys/sign-in/start')).body;
    const response = device.authenticate(options);
    return () => app.client().post('/api/auth/passkeys/sign-in/finish', { state, response });
  },
  'PUT /api/auth/passkeys/{id}': async ({ app }) => {
    const { client, id } = await makePasskey(app);
    return () => client.put(`/api/auth/passkeys/${id}`, { name: 'Other' });
  },
  'DELETE /api/auth/passkeys/{id}': async ({ app }) => {
    const { client, id } = await makePasskey(app);
    return () => client.delete(`/api/auth/passkeys/${id}`);
  },
  'POST /api/auth/tokens': async ({ app }) => {
    const { client } = await makeUser(app, 'staff');
    return () => client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' });
  },
  'DELETE /api/auth/tokens/{id}': async ({ app }) => {
    const { client } = await makeUser(app, 'staff');
    const { body } = await client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' });
    return () => client.delete(`/api/auth/tokens/${body.api_token.id}`);
  },
  'DELETE /api/auth/sessions/{id}': async ({ app }) => {
    const { client } = await makeUser(app, 'staff');
    const [session] = (await client.get('/api/auth/sessions')).body.sessions;
    return () => client.delete(`/api/auth/sessions/${session.id}`);
  },
  'DELETE /api/auth/sessions': async ({ app }) => {
    const { client, email } = await makeUser(app, 'staff');
    await login(app, email);
    return () => client.delete('/api/auth/sessions');
  },
};

const postToUser =
  (action: string): Change =>
  async ({ app, admin }) => {
    const { id } = await makeUser(app, 'staff');
    return () => admin.client.post(`/api/users/${id}/${action}`);
  };

const postToInvited =
  (action: string): Change =>
  async ({ admin }) => {
    const { body } = await admin.client.post('/api/auth/invite', { email: `${unique('i')}@example.com` });
    return () => admin.client.post(`/api/users/${body.user.id}/${action}`);
  };

const userChanges: Record<string, Change> = {
  'POST /api/auth/invite':
    ({ admin }) =>
    () =>
      admin.client.post('/api/auth/invite', { email: `${unique('i')}@example.com` }),
  'PUT /api/users/{id}': async ({ app, admin }) => {
    const { id } = await makeUser(app, 'staff');
    return () => admin.client.put(`/api/users/${id}`, { name: 'Other', role: 'admin' });
  },
  'POST /api/users/{id}/reset-password': postToUser('reset-password'),
  'POST /api/users/{id}/reset-mfa': postToUser('reset-mfa'),
  'POST /api/users/{id}/end-sessions': postToUser('end-sessions'),
  'POST /api/users/{id}/disable': postToUser('disable'),
  'POST /api/users/{id}/enable': async ({ app, admin }) => {
    const { id } = await makeUser(app, 'staff');
    await admin.client.post(`/api/users/${id}/disable`);
    return () => admin.client.post(`/api/users/${id}/enable`);
  },
  'POST /api/users/{id}/resend-invitation': postToInvited('resend-invitation'),
  'POST /api/users/{id}/withdraw-invitation': postToInvited('withdraw-invitation'),
};

/** Every call that writes, except the two that need another server. */
export const changes: Record<string, Change> = { ...recordChanges, ...ownAccountChanges, ...userChanges };
