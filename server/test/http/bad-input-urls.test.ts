import { apiDocument, type Operation, operationsOf } from '@customer-database/testkit/api';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

const app: TestApp = await startTestApp();
const operations = operationsOf(apiDocument(app));
const withId = operations.filter(({ path }) => path.includes('{id}'));

let admin: TestUser;

beforeAll(async () => {
  admin = await makeUser(app, 'admin');
  const customer = await makeCustomer(admin.client);
  await makeDocument(admin.client, customer.id);
});

const signed = 'user=1&expires=9999999999&signature=AAAA';
const links = new Map([
  ['/api/documents/{id}/content', `?purpose=view&${signed}`],
  ['/api/documents/{id}/content/details', `?purpose=view&${signed}`],
  ['/api/documents/{id}/content/hits', `?purpose=view&${signed}`],
  ['/api/documents/{id}/content/text', `?purpose=view&${signed}`],
  ['/api/documents/{id}/thumbnail', `?${signed}`],
]);

function send({ method, path, body }: Operation, id: string) {
  return admin.client.send(path.replace('{id}', id) + (links.get(path) ?? ''), {
    method,
    // A passkey needs its name; elsewhere any field may be missing.
    ...(body && {
      body: path.includes('/passkeys/') ? '{"name":"x"}' : '{}',
      headers: { 'content-type': 'application/json' },
    }),
  });
}

describe('an id in the URL', () => {
  it('is part of these calls', () => {
    expect(withId.map(({ name }) => name).sort()).toEqual([
      'DELETE /api/auth/passkeys/{id}',
      'DELETE /api/auth/sessions/{id}',
      'DELETE /api/auth/tokens/{id}',
      'DELETE /api/customers/{id}',
      'DELETE /api/documents/{id}',
      'GET /api/customers/{id}',
      'GET /api/documents/customer/{id}',
      'GET /api/documents/{id}',
      'GET /api/documents/{id}/content',
      'GET /api/documents/{id}/content/details',
      'GET /api/documents/{id}/content/hits',
      'GET /api/documents/{id}/content/text',
      'GET /api/documents/{id}/download',
      'GET /api/documents/{id}/hits',
      'GET /api/documents/{id}/text',
      'GET /api/documents/{id}/thumbnail',
      'GET /api/documents/{id}/view',
      'GET /api/users/{id}',
      'POST /api/users/{id}/disable',
      'POST /api/users/{id}/enable',
      'POST /api/users/{id}/end-sessions',
      'POST /api/users/{id}/resend-invitation',
      'POST /api/users/{id}/reset-mfa',
      'POST /api/users/{id}/reset-password',
      'POST /api/users/{id}/withdraw-invitation',
      'PUT /api/auth/passkeys/{id}',
      'PUT /api/customers/{id}',
      'PUT /api/documents/{id}',
      'PUT /api/users/{id}',
    ]);
  });

  it.each(withId)('of $name is refused unless it is a positive integer', async (operation) => {
    const before = await fingerprintOf(app);
    const numbers = [
      '0',
      '-1',
      '1.5',
      '1,5',
      '01',
      '+1',
      '1e3',
      '0x1',
      'NaN',
      'Infinity',
      '9007199254740992',
    ];
    const large = ['9223372036854775807', '9223372036854775808', '1'.repeat(100)];
    const texts = [
      'abc',
      '%25',
      '_',
      "'",
      '%22',
      '1%27%20or%201%3D1',
      '%00',
      '1%00',
      '%201',
      '1%0A',
      'null',
      '%F0%9F%92%A9',
    ];
    for (const id of [...numbers, ...large, ...texts]) {
      const answer = await send(operation, id);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields, id).toEqual({ id: 'The id must be a positive whole number' });
    }
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each(withId)('of $name is refused when it is invalid UTF-8 or very long', async (operation) => {
    for (const id of ['%ff', '%C0%80', '%ED%A0%80', '1%', '%zz']) {
      expectProblem(await send(operation, id), 400, 'MALFORMED_REQUEST');
    }
    // A GET that matches no call could be a page, and is looked up there.
    const [status, code] = operation.method === 'GET' ? [404, 'NOT_FOUND'] : [400, 'MALFORMED_REQUEST'];
    for (const id of ['1'.repeat(101), 'x'.repeat(10_000)]) {
      expectProblem(await send(operation, id), status, code);
    }
  });

  it.each(withId)('of $name that does not exist returns 404, or 403 on a link', async (operation) => {
    for (const id of ['999999999', String(Number.MAX_SAFE_INTEGER)]) {
      const answer = await send(operation, id);
      if (links.has(operation.path)) expectProblem(answer, 403, 'LINK_INVALID');
      else expectProblem(answer, 404, 'NOT_FOUND');
      expect(answer.body.error).toMatch(
        /^(Customer|Document|Passkey|User) not found$|^This (link has expired|session has ended|token has been revoked)/,
      );
    }
  });
});

describe('the query', () => {
  const pageText = 'page must be a whole number from 1 to 999999999';
  const limitText = 'limit must be a whole number from 1 to 200';
  const wrong = [
    '',
    '0',
    '-1',
    '1.5',
    '1e2',
    '+1',
    '%201',
    'x',
    '%00',
    '%ff',
    '%27',
    '%25',
    '_',
    '9'.repeat(20),
    '[]',
  ];
  const tables = [
    ...wrong.map((value) => [`page=${value}`, { page: pageText }] as const),
    ...[...wrong, '201'].map((value) => [`limit=${value}`, { limit: limitText }] as const),
    ['page=1&page=1', { page: pageText }],
    ['limit=1&limit=2', { limit: limitText }],
    ['page=0&limit=0', { page: pageText, limit: limitText }],
    ['page[]=1', { 'page[]': 'page[] is not a field that can be set here' }],
    ['sort=id', { sort: 'sort is not a field that can be set here' }],
    ['constructor=1', { constructor: 'constructor is not a field that can be set here' }],
  ] as const;

  it.each(['/api/customers', '/api/documents'])('of %s is refused when it is wrong', async (path) => {
    for (const [query, fields] of tables) {
      const answer = await admin.client.get(`${path}?${query}`);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields, query).toEqual(fields);
    }
  });

  it('may not name __proto__', async () => {
    const answer = await admin.client.get('/api/customers?__proto__=1');
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('__proto__ is not a field that can be set here');
  });

  it.each(['/api/customers', '/api/documents'])('of %s may ask for the largest page', async (path) => {
    const answer = await admin.client.get(`${path}?page=999999999&limit=200`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ count: 0, total: 1 });
  });

  it('of a link is refused when a part is wrong, repeated, missing or unknown', async () => {
    const good = { purpose: 'view', user: '1', expires: '9999999999', signature: 'AAAA' };
    const text = (parts: Record<string, string>) => new URLSearchParams(parts).toString();
    const changed = (name: string, value: string) => text({ ...good, [name]: value });
    const without = (name: string) =>
      text(Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)));
    const queries: [string, string][] = [
      ...Object.keys(good).map((name): [string, string] => [name, without(name)]),
      ...Object.keys(good).map((name): [string, string] => [name, `${text(good)}&${name}=1`]),
      ...['', 'edit', 'view\0', "view'"].map((value): [string, string] => [
        'purpose',
        changed('purpose', value),
      ]),
      ...['', '-1', '1.5', 'x', '9'.repeat(16)].map((value): [string, string] => [
        'user',
        changed('user', value),
      ]),
      ...['', '-1', '1.5', 'x', '9'.repeat(16)].map((value): [string, string] => [
        'expires',
        changed('expires', value),
      ]),
      ['signature', changed('signature', 'A'.repeat(101))],
      ['token', `${text(good)}&token=x`],
    ];
    for (const [name, query] of queries) {
      const answer = await admin.client.get(`/api/documents/1/content?${query}`);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(Object.keys(answer.body.fields), query).toEqual([name]);
    }
  });
});
