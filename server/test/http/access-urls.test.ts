import {
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { builtFiles } from '@customer-database/testkit/pages';
import { type RawAnswer, sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

const secretName = 'Only-For-Colleagues';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let customerId: number;
let documentId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  customerId = (await makeCustomer(admin.client, { name: secretName })).id;
  documentId = (await makeDocument(admin.client, customerId, { filename: `${secretName}.pdf` })).id;
  // With the ids of the URLs below: without records there would be nothing to leak.
  expect({ customerId, documentId }).toEqual({ customerId: 1, documentId: 1 });
});

/** Other spellings of a protected URL; the public `/docs/` is a tempting prefix. */
function spellings(path: string): string[] {
  const rest = path.slice('/api/'.length);
  return [
    path,
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `//${path}`,
    path.replace('/api/', '/api//'),
    path.replaceAll('/', '%2f'),
    path.replaceAll('/', '%2F').replace('%2F', '/'),
    path.replace('/api/', '/api%2f'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    path.replace('/api/', '/api/./'),
    path.replace('/api/', '/api/%2e/'),
    `/api/docs/../${rest}`,
    `/api/docs/%2e%2e/${rest}`,
    `/api/docs/..%2f${rest}`,
    `/api/docs/..;/${rest}`,
    `/api/docs/static/../../${rest}`,
    `/api/docs/static/..%2f..%2f${rest}`,
    `/api/docs/static/%2e%2e/%2e%2e/${rest}`,
    `/health/../${path}`,
    `/health;/..${path}`,
    `${path};.css`,
    `${path}%00`,
    `${path}%20`,
    `${path}.json`,
    `${path}?/health`,
    `${path}#/health`,
    path.toUpperCase(),
    path.replace('/api/', '/Api/'),
    path.replace('api', '%61pi'),
    path.replace('api', 'ap%69'),
    path.replace('api', '%2561pi'),
    path.replace('api', 'ap\u0131'),
    `http://localhost${path}`,
    `http://admin@localhost${path}`,
    `https:${path}`,
  ];
}

const send = (method: string, target: string, token?: string, headers: Record<string, string> = {}) =>
  sendRaw(app.url, {
    method,
    target,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });

/** A URL that matches no call gets the public page. */
function expectNothing(answer: RawAnswer, target: string): void {
  if (answer.status === 200) expect(answer.body, target).toBe(builtFiles['/index.html']);
  else expect([400, 401, 403, 404], target).toContain(answer.status);
  expect(answer.body, target).not.toContain(secretName);
}

async function expectStillThere(): Promise<void> {
  expect((await admin.client.get(`/api/customers/${customerId}`)).status).toBe(200);
  expect((await admin.client.get(`/api/documents/${documentId}`)).status).toBe(200);
}

describe('other spellings of a URL', () => {
  it.each([
    '/api/customers',
    '/api/customers/1',
    '/api/documents',
    '/api/documents/1',
    '/api/documents/1/view',
    '/api/documents/customer/1',
    '/api/dashboard',
    '/api/auth/verify',
  ])('of %s show nothing without a session', async (path) => {
    for (const target of spellings(path)) expectNothing(await send('GET', target), target);
  });

  it('of an admin call do nothing for staff', async () => {
    for (const path of [`/api/customers/${customerId}`, `/api/documents/${documentId}`]) {
      for (const target of spellings(path)) {
        const answer = await send('DELETE', target, staff.token);
        expectNothing(answer, target);
        expect(answer.status, target).not.toBe(200);
      }
    }
    await expectStillThere();
  });

  it('do not turn an allowed call of staff into a forbidden one', async () => {
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-http-method': 'DELETE',
      'x-original-url': `/api/customers/${customerId}`,
      'x-rewrite-url': `/api/customers/${customerId}`,
      'x-forwarded-uri': `/api/customers/${customerId}`,
    };
    for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS']) {
      for (const target of [`/api/documents/${documentId}`, '/health', '/api/docs/json?_method=DELETE']) {
        const answer = await send(method, target, staff.token, headers);
        expect(answer.status, `${method} ${target}`).toBeLessThan(500);
      }
    }
    await expectStillThere();
  });

  it('never escape the folder of the API page', async () => {
    for (const name of ['package.json', 'index.js', '../package.json', '../../fastify/package.json']) {
      for (const up of ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '%252e%252e%252f']) {
        const target = `/api/docs/static/${up}${name}`;
        const answer = await send('GET', target);
        expect([400, 403, 404], target).toContain(answer.status);
        expect(answer.body, target).toContain('"request_id"');
      }
    }
  });
});

describe('two ids in one request', () => {
  it('are both checked on a link: neither the document nor the user can be swapped', async () => {
    const other = await makeDocument(admin.client, customerId, { filename: 'other.pdf' });
    const { body } = await staff.client.get(`/api/documents/${documentId}/download`);
    const { pathname, search } = new URL(body.download_url);
    expect((await send('GET', pathname + search)).status).toBe(200);
    const exchanged = [
      pathname.replace(String(documentId), String(other.id)) + search,
      pathname + search.replace(`user=${staff.id}`, `user=${admin.id}`),
      pathname + search.replace('purpose=download', 'purpose=view'),
    ];
    for (const target of exchanged) {
      const answer = await send('GET', target);
      expect(answer.status, target).toBe(403);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'LINK_INVALID' });
    }
    const doubled = await send('GET', `${pathname + search}&user=${admin.id}`);
    expect(doubled.status).toBe(400);
  });

  it('are both checked on an upload: a customer who does not exist gets no document', async () => {
    const before = (await admin.client.get('/api/documents?limit=1')).body.total;
    const answer = await admin.client.post('/api/documents', uploadBody(999_999_999));
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'NOT_FOUND', error: 'Customer not found' });
    expect((await admin.client.get('/api/documents?limit=1')).body.total).toBe(before);
  });

  it('are taken from the path, whatever the body or the query says', async () => {
    const other = await makeCustomer(admin.client, { name: 'Untouched' });
    const answer = await admin.client.put(`/api/customers/${customerId}`, {
      id: other.id,
      city: 'Elsewhere',
    });
    expect(answer.body.customer).toMatchObject({ id: customerId, city: 'Elsewhere' });
    expect((await admin.client.get(`/api/customers/${other.id}`)).body.customer).toEqual(other);
    const deleted = await admin.client.delete(`/api/customers/${other.id}?id=${customerId}`);
    expect(deleted.status).toBe(200);
    await expectStillThere();
  });
});
