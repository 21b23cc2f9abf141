import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { Browser } from '@customer-database/testkit/browser';
import type { Answer, Client } from '@customer-database/testkit/client';
import { type FormFile, formOf, issueLink, uploadForm } from '@customer-database/testkit/documents';
import type { OidcSignIn } from '@customer-database/testkit/oidc-sign-in';
import type { TestApp } from '@customer-database/testkit/test-app';
import { expect } from 'vitest';

type Headers = Record<string, string>;

/** Returns the token of a sign-in. */
export async function usePasskeys(app: TestApp, client: Client, headers: Headers): Promise<string> {
  const device = new SoftwareAuthenticator(app.deps.config.publicUrl ?? '');
  const setup = (await client.post('/api/auth/passkeys/setup/start')).body;
  const added = { state: setup.state, name: 'Phone', response: device.register(setup.options) };
  const { id } = (await client.post('/api/auth/passkeys/setup/verify', added)).body.passkey;
  await client.get('/api/auth/passkeys');
  await client.put(`/api/auth/passkeys/${id}`, { name: 'Laptop' });
  const asked = (await client.post('/api/auth/passkeys/confirm/start')).body;
  const passkey = { state: asked.state, response: device.authenticate(asked.options) };
  await client.post('/api/auth/confirm', { passkey });
  const { state, options } = (await client.post('/api/auth/passkeys/sign-in/start')).body;
  const proof = { state, response: device.authenticate(options) };
  const { body } = await app.client().post('/api/auth/passkeys/sign-in/finish', proof, headers);
  await client.delete(`/api/auth/passkeys/${id}`);
  return body.token;
}

/** The answer of a sign-in at the provider. */
export async function signInWithOidc(
  app: TestApp,
  oidc: OidcSignIn,
  email: string,
  headers: Headers,
): Promise<Answer> {
  oidc.provider.person = oidc.person({ email }).sub;
  const browser = new Browser();
  await oidc.openCallback(browser, await oidc.toCallback(browser, app), app);
  const response = await browser.send(`${app.url}/api/auth/oidc/finish`, { method: 'POST', headers });
  const body = (await response.json()) as Answer['body'];
  expect(response.status, JSON.stringify(body)).toBe(200);
  return { status: response.status, headers: response.headers, body };
}

/** Returns an API token. */
export async function useAccounts(client: Client): Promise<string> {
  const { body } = await client.post('/api/auth/tokens', { name: 'Reports', scope: 'admin' });
  for (const list of ['tokens', 'sessions']) await client.get(`/api/auth/${list}`);
  await client.get('/api/users');
  const { id } = (await client.post('/api/auth/invite', { email: 'managed@example.com' })).body.user;
  await client.get(`/api/users/${id}`);
  await client.put(`/api/users/${id}`, { name: 'Renamed', role: 'admin' });
  const actions = ['resend-invitation', 'reset-password', 'reset-mfa', 'end-sessions', 'disable', 'enable'];
  for (const action of [...actions, 'withdraw-invitation']) await client.post(`/api/users/${id}/${action}`);
  return body.token;
}

/** A link that leads to this server in place of the public URL. */
export async function linkTo(
  app: TestApp,
  client: Client,
  id: number,
  purpose: 'download' | 'view',
): Promise<URL> {
  const { pathname, search } = new URL(await issueLink(client, id, purpose));
  return new URL(pathname + search, app.url);
}

export async function useRecords(
  app: TestApp,
  client: Client,
  file: FormFile,
  customerId: number,
  documentId: number,
): Promise<void> {
  const customer = `/api/customers/${customerId}`;
  const document = `/api/documents/${documentId}`;
  for (const path of ['/api/customers', customer, '/api/documents', document]) await client.get(path);
  await client.get(`/api/documents/customer/${customerId}`);
  for (const path of ['text', 'hits?q=patient']) await client.get(`${document}/${path}`);
  await client.get('/api/search?q=patient');
  for (const list of ['customers', 'documents']) await client.post(`/api/${list}/search`, {});
  await client.post('/api/documents/check-duplicate', { customer_id: customerId, filename: 'a.pdf' });
  await client.put(customer, { city: 'Elsewhere' });
  await client.put(document, { description: 'Changed' });
  const { pathname, search } = await linkTo(app, client, documentId, 'view');
  for (const part of ['details', 'text', 'hits']) await app.client().get(`${pathname}/${part}${search}`);
  await uploadForm(client, formOf({ customer_id: customerId }, file), '/api/documents/upload');
  for (const path of ['dashboard', 'activity', 'activity/export']) await client.get(`/api/${path}`);
}

/** What the database keeps secret, in every encoding that a response could use. */
export async function storedSecrets({ pool }: TestApp): Promise<string[]> {
  const { rows: users } = await pool.query('select password_hash, mfa_secret from users');
  const { rows: documents } = await pool.query('select storage_key from documents');
  const seeds: Buffer[] = users.flatMap(({ mfa_secret }) => mfa_secret ?? []);
  expect([seeds.length, documents.length]).toEqual([1, 2]);
  return [
    ...users.map(({ password_hash }) => password_hash),
    ...seeds.flatMap((seed) => [seed.toString('hex'), seed.toString('base64'), [...seed].join()]),
    ...documents.map(({ storage_key }) => storage_key),
  ];
}
