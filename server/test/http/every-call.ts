import type { Client } from '@customer-database/testkit/client';
import { issueLink } from '@customer-database/testkit/documents';
import { makeUser } from '@customer-database/testkit/factories';
import type { TestApp } from '@customer-database/testkit/test-app';
import { expect } from 'vitest';
import { calls } from './calls/all.ts';
import { prepareExample } from './calls/call.ts';

type Headers = Record<string, string>;

/** The server, whose clients send these headers where a session may begin. */
function withHeaders(app: TestApp, headers: Headers): TestApp {
  const client = (token?: string): Client => {
    const real = app.client(token);
    return {
      ...real,
      post: (path, body) => real.post(path, body, headers),
      send: (path, init) =>
        real.send(path, { ...init, headers: { ...(init.headers as Headers), ...headers } }),
    };
  };
  return { ...app, client };
}

export async function makeEveryCall(
  server: TestApp,
  headers: Headers,
  customerId: number,
  documentId: number,
): Promise<void> {
  const app = withHeaders(server, headers);
  const setup = { app, admin: await makeUser(app, 'admin'), customerId, documentId };
  for (const [name, call] of Object.entries(calls)) {
    const { status, body } = await (await prepareExample(name, call, setup)).send();
    expect([200, 201], `${name}: ${JSON.stringify(body)}`).toContain(status);
  }
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

/** What the database keeps secret, in every encoding that a response could use. */
export async function storedSecrets({ pool }: TestApp): Promise<string[]> {
  const { rows: users } = await pool.query('select password_hash, mfa_secret from users');
  const { rows: documents } = await pool.query('select storage_key from documents');
  const seeds: Buffer[] = users.flatMap(({ mfa_secret }) => mfa_secret ?? []);
  expect(seeds.length).toBeGreaterThan(0);
  expect(documents.length).toBeGreaterThan(1);
  return [
    ...users.map(({ password_hash }) => password_hash),
    ...seeds.flatMap((seed) => [seed.toString('hex'), seed.toString('base64'), [...seed].join()]),
    ...documents.map(({ storage_key }) => storage_key),
  ];
}
