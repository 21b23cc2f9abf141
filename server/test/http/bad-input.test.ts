import { apiDocument, type Operation, operationsOf } from '@customer-database/testkit/api';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBodyLimit } from '../../src/http/access.ts';
import { calls } from './calls/all.ts';
import { prepareExample, type Setup } from './calls/call.ts';

const app = await startTestApp();
const operations = operationsOf(apiDocument(app));
const withBody = operations.filter(({ body }) => body !== undefined);

let admin: TestUser;
let setup: Setup;

beforeAll(async () => {
  admin = await makeUser(app, 'admin');
  const customerId = (await makeCustomer(admin.client)).id;
  const documentId = (await makeDocument(admin.client, customerId)).id;
  setup = { app, admin, customerId, documentId };
});

async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await fingerprintOf(app);
  await work();
  expect(await fingerprintOf(app)).toEqual(before);
}

const sendText = ({ method, path }: Operation, body: string | Uint8Array<ArrayBuffer>) =>
  admin.client.send(path.replace('{id}', '1'), {
    method,
    headers: { 'content-type': 'application/json' },
    body,
  });
const send = (operation: Operation, body: unknown) => sendText(operation, JSON.stringify(body));

const badFieldsOf = ({ name }: Operation) => calls[name]?.badFields ?? {};

/** A valid body. */
async function goodBodyOf({ name }: Operation): Promise<object> {
  const call = calls[name];
  return (call?.badFields && (await prepareExample(name, call, setup)).body) ?? {};
}

async function expectBadValuesRefused(operation: Operation, good: object): Promise<void> {
  for (const [field, values] of Object.entries(badFieldsOf(operation))) {
    for (const [value, text] of values) {
      const answer = await send(operation, { ...good, [field]: value });
      const where = `${field}: ${JSON.stringify(value)?.slice(0, 50)}`;
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields, where).toEqual({ [field]: text });
      expect(answer.body.error, where).toBe(text);
    }
  }
}

async function expectOtherFieldsRefused(operation: Operation, good: object): Promise<void> {
  const names = ['id', 'created_at', 'storage_key', 'constructor', 'is_admin', ' name'].filter(
    (name) => !Object.hasOwn(badFieldsOf(operation), name),
  );
  const answer = await send(operation, { ...good, ...Object.fromEntries(names.map((name) => [name, 1])) });
  expectProblem(answer, 400, 'VALIDATION_FAILED');
  expect(answer.body.fields).toEqual(
    Object.fromEntries(names.map((name) => [name, `${name} is not a field that can be set here`])),
  );
}

async function expectOtherShapesRefused(operation: Operation): Promise<void> {
  // A call that takes no fields takes null, too.
  const nothing = Object.keys(badFieldsOf(operation)).length > 0 ? [null] : [];
  for (const body of [[], 'text', 5, true, [{}], ...nothing]) {
    expectProblem(await send(operation, body), 400, 'MALFORMED_REQUEST');
  }
}

/** A stray byte, half a character, an overlong one, half a surrogate pair, one beyond Unicode. */
const invalidUtf8 = ['\xff', '\xc3', '\xc0\x80', '\xed\xa0\x80', '\xf5\x80\x80\x80'];

async function expectInvalidUtf8Refused(operation: Operation): Promise<void> {
  const [field = 'x'] = Object.keys(operation.body?.properties ?? {});
  // One parser reads all bodies: one call proves its rules.
  const all = operation.name === 'POST /api/customers' ? invalidUtf8 : ['\xff'];
  for (const bytes of all) {
    for (const text of [`{"${field}":"a${bytes}b"}`, `{"a${bytes}":1}`, bytes]) {
      const answer = await sendText(operation, Uint8Array.from(Buffer.from(text, 'latin1')));
      expectProblem(answer, 400, 'MALFORMED_REQUEST');
      expect(answer.body.error).toBe('The request is not valid UTF-8');
    }
  }
}

/** An upload may be as large as a file; upload-json.test.ts has its limit. */
async function expectLargeBodyRefused(operation: Operation): Promise<void> {
  if (operation.name === 'POST /api/documents') return;
  const limit = calls[operation.name]?.access === 'public' ? openBodyLimit : 1024 * 1024;
  const answer = await sendText(operation, `{}${' '.repeat(limit - 1)}`);
  expectProblem(answer, 413, 'REQUEST_TOO_LARGE');
}

describe('a bad body', () => {
  it('is listed for every field of every call', () => {
    const fieldsOf = (fields: object = {}) => Object.keys(fields).sort();
    const described = withBody.filter(({ body }) => fieldsOf(body?.properties).length > 0);
    const listed = Object.entries(calls).filter(([, { badFields }]) => badFields);
    expect(Object.fromEntries(listed.map(([name, { badFields }]) => [name, fieldsOf(badFields)]))).toEqual(
      Object.fromEntries(described.map(({ name, body }) => [name, fieldsOf(body?.properties)])),
    );
  });

  it.each(withBody)('of $name is refused by the name of the field, and stores nothing', async (operation) => {
    const good = await goodBodyOf(operation);
    await expectUnchanged(async () => {
      await expectBadValuesRefused(operation, good);
      await expectOtherFieldsRefused(operation, good);
      await expectOtherShapesRefused(operation);
      await expectInvalidUtf8Refused(operation);
      await expectLargeBodyRefused(operation);
    });
  });

  it('is not one with wildcards and quotes, which are stored and found literally', async () => {
    const odd = `100%_'"\\;-- <b>\u202e`;
    const texts = { name: odd, phone_number: odd, street_line: odd, city: odd, province: odd, country: odd };
    const customer = await makeCustomer(admin.client, texts);
    expect(customer).toMatchObject(texts);
    const found = await admin.client.post('/api/customers/search', { ...texts, phone_number: '100' });
    expect(found.body.customers.map(({ id }: { id: number }) => id)).toEqual([customer.id]);
    const others = await admin.client.post('/api/customers/search', { name: '1%0', city: '_' });
    expect(others.body.count).toBe(0);
  });
});

const linkQuery = 'user=1&expires=9999999999&signature=AAAA';
const isLink = ({ name }: Operation) => calls[name]?.access === 'link';

function sendToId(operation: Operation, id: string, good: object) {
  const { method, path, body } = operation;
  const purpose = path.endsWith('/thumbnail') ? '' : 'purpose=view&';
  const query = isLink(operation) ? `?${purpose}${linkQuery}` : '';
  return admin.client.send(path.replace('{id}', id) + query, {
    method,
    ...(body && {
      body: JSON.stringify(good),
      headers: { 'content-type': 'application/json' },
    }),
  });
}

/** All calls share one schema, whose rules one call proves. */
const notIdsOf = ({ name }: Operation) =>
  name === 'GET /api/customers/{id}' ? notIds : ['0', '1.5', 'abc', '%00', '9007199254740992'];
const notIds = [
  ...['0', '-1', '1.5', '1,5', '01', '+1', '1e3', '0x1', 'NaN', 'Infinity', '9007199254740992'],
  ...['9223372036854775807', '9223372036854775808', '1'.repeat(100)],
  ...['abc', '%25', '_', "'", '%22', '1%27%20or%201%3D1', '%00', '1%00', '%201', '1%0A', 'null'],
  '%F0%9F%92%A9',
];

describe('an id in the URL', () => {
  it.each(operations.filter(({ path }) => path.includes('{id}')))(
    'of $name must be a positive integer of an existing record',
    async (operation) => {
      const good = await goodBodyOf(operation);
      const sendTo = (id: string) => sendToId(operation, id, good);
      await expectUnchanged(async () => {
        for (const id of notIdsOf(operation)) {
          const answer = await sendTo(id);
          expectProblem(answer, 400, 'VALIDATION_FAILED');
          expect(answer.body.fields, id).toEqual({ id: 'The id must be a positive whole number' });
        }
        for (const id of ['%ff', '%ED%A0%80', '%zz']) {
          expectProblem(await sendTo(id), 400, 'MALFORMED_REQUEST');
        }
        // A GET that matches no call could be a page, and is looked up there.
        const isGet = operation.method === 'GET';
        for (const id of ['1'.repeat(101), 'x'.repeat(10_000)]) {
          expectProblem(await sendTo(id), isGet ? 404 : 400);
        }
        for (const id of ['999999999', String(Number.MAX_SAFE_INTEGER)]) {
          const answer = await sendTo(id);
          if (isLink(operation)) expectProblem(answer, 403, 'LINK_INVALID');
          else expectProblem(answer, 404, 'NOT_FOUND');
          expect(answer.body.error).toBe(calls[operation.name]?.unknownId);
        }
      });
    },
  );
});

describe.each(['/api/customers', '/api/documents'])('the query of %s', (path) => {
  const page = 'page must be a whole number from 1 to 999999999';
  const limit = 'limit must be a whole number from 1 to 200';
  const wrong = ['', '0', '-1', '1.5', '1e2', '+1', '%201', 'x', '%00', '%ff', '%27', '_', '9'.repeat(20)];
  const unknown = (name: string) => ({ [name]: `${name} is not a field that can be set here` });

  it('is refused when it is wrong, repeated or unknown', async () => {
    for (const [query, fields] of [
      ...wrong.map((value) => [`page=${value}`, { page }] as const),
      ...[...wrong, '201'].map((value) => [`limit=${value}`, { limit }] as const),
      ['page=1&page=1', { page }],
      ['page=0&limit=0', { page, limit }],
      ...['page[]', 'sort', 'constructor'].map((name) => [`${name}=1`, unknown(name)] as const),
    ] as const) {
      const answer = await admin.client.get(`${path}?${query}`);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields, query).toEqual(fields);
    }
    const unnameable = await admin.client.get(`${path}?__proto__=1`);
    expectProblem(unnameable, 400, 'VALIDATION_FAILED');
    expect(unnameable.body.error).toBe('__proto__ is not a field that can be set here');
  });

  it('may ask for the largest page', async () => {
    const answer = await admin.client.get(`${path}?page=999999999&limit=200`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ count: 0, total: expect.any(Number) });
  });
});

it('the query of a link is refused when a part is wrong, repeated, missing or unknown', async () => {
  const good = { purpose: 'view', user: '1', expires: '9999999999', signature: 'AAAA' };
  const text = new URLSearchParams(good).toString();
  const withPart = (name: string, value: string) =>
    new URLSearchParams({ ...good, [name]: value }).toString();
  const wrongNumbers = ['', '-1', '1.5', 'x', '9'.repeat(16)];
  const wrong = {
    purpose: ['', 'edit', 'view\0', "view'"],
    user: wrongNumbers,
    expires: wrongNumbers,
    signature: ['A'.repeat(101)],
  };
  const queries = Object.entries(wrong).flatMap(([name, values]) => [
    ...values.map((value) => [name, withPart(name, value)]),
    [name, `${text}&${name}=1`],
    [name, text.replace(new RegExp(`${name}=\\w+&?`), '')],
  ]);
  for (const [name, query] of [...queries, ['token', `${text}&token=x`]]) {
    const answer = await admin.client.get(`/api/documents/1/content?${query}`);
    expectProblem(answer, 400, 'VALIDATION_FAILED');
    expect(Object.keys(answer.body.fields), query).toEqual([name]);
  }
});
