import type { Answer } from '@customer-database/testkit/client';
import { customerFields, makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { sendBytes, sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

type Body = { target?: string; method?: string; headers?: Record<string, string>; body: string | Buffer };

async function send({ target = '/api/customers', method = 'POST', headers, body }: Body): Promise<Answer> {
  const answer = await sendRaw(app.url, {
    method,
    target,
    headers: { authorization: `Bearer ${admin.token}`, ...headers },
    body,
  });
  return { ...answer, body: JSON.parse(answer.body) };
}

const json = { 'content-type': 'application/json' };
const wrong = JSON.stringify(customerFields({ email: 'no email', role: 'admin' }));

async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await fingerprintOf(app);
  await work();
  expect(await fingerprintOf(app)).toEqual(before);
}

describe('the Content-Type', () => {
  it.each([
    'application/json',
    'application/json ; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"; x=y',
    '\tapplication/json',
    'application/json\t',
    ' \t application/json \t ',
    'application/json\t;charset=utf-8',
    'Application/JSON',
    'APPLICATION/JSON ; CHARSET=UTF-8',
    'application/json;',
    'application/json;a',
    'application/json; charset=utf-16',
  ])('"%s" does not get around the checks', async (type) => {
    await expectUnchanged(async () => {
      const answer = await send({ headers: { 'content-type': type }, body: wrong });
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields).toEqual({
        email: 'Invalid email address',
        role: 'role is not a field that can be set here',
      });
    });
  });

  it.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'text/json',
    'application/jsonx',
    'application/vnd.api+json',
    'application/json-patch+json',
    'application/xml',
    'application',
    '/',
    '*/*',
    ',',
    '',
  ])('"%s" is refused', async (type) => {
    await expectUnchanged(async () => {
      const body = JSON.stringify(customerFields());
      for (const target of ['/api/customers', '/api/auth/invite', '/api/customers/search']) {
        const answer = await send({ target, headers: { 'content-type': type }, body });
        expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
        expect(answer.body.error).toBe('Send the request as application/json');
      }
    });
  });

  it('is required with a body', async () => {
    expectProblem(await send({ body: JSON.stringify(customerFields()) }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('of another kind is refused on the upload as well', async () => {
    for (const type of ['text/plain', 'application/pdf', 'application/octet-stream']) {
      const answer = await send({ target: '/api/documents', headers: { 'content-type': type }, body: 'x' });
      expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });
});

describe('JSON', () => {
  it.each([
    ['__proto__', '{"name":"x","__proto__":{"email":"a@example.com"}}'],
    ['__proto__ in escapes', '{"\\u005f_proto__":{"email":"a@example.com"}}'],
    ['__proto__ deeper', '{"name":{"__proto__":{"x":1}}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"email":"a@example.com"}}}'],
    ['a comma too many', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['a comment', '{"name":"x"/**/}'],
    ['two values', '{}{}'],
    ['NaN', '{"name":NaN}'],
    ['a NUL byte', '{"name":"x"}\0'],
    ['a line break in a text', '{"name":"x\ny"}'],
    ['nothing but blanks', '   '],
    ['an open object', '{"name":"x"'],
  ])('with %s is refused', async (_, body) => {
    await expectUnchanged(async () => {
      for (const target of ['/api/customers', '/api/auth/invite', '/api/documents']) {
        expectProblem(await send({ target, headers: json, body }), 400, 'MALFORMED_REQUEST');
      }
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('email' in {}).toBe(false);
  });

  it.each([
    ['arrays', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['objects in a field', `{"name":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`],
    ['arrays left open', '['.repeat(1_000_000)],
  ])('nested more than 32 levels deep (%s) is refused before it is parsed', async (_, body) => {
    for (const target of ['/api/customers', '/api/documents']) {
      const answer = await send({ target, headers: json, body });
      expectProblem(answer, 400, 'MALFORMED_REQUEST');
      expect(answer.body.error).toBe('The request is nested too deeply');
    }
  });

  it('may have 32 levels, and any number of brackets in a text', async () => {
    const nested = `{"name":${'['.repeat(31)}${']'.repeat(31)}}`;
    expectProblem(await send({ headers: json, body: nested }), 400, 'VALIDATION_FAILED');
    const name = `\\"${'[{'.repeat(90)}`;
    const answer = await send({ target: '/api/customers/search', headers: json, body: `{"name":"${name}"}` });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['fields', `{${'"f":1,'.repeat(100_000)}"f":1}`],
    ['texts that are no fields', '"'.repeat(1_000_000)],
    ['numbers', `{"name":[${'0,'.repeat(400_000)}0]}`],
  ])('of a great many %s is refused before it is parsed', async (_, body) => {
    for (const target of ['/api/customers', '/api/documents']) {
      const answer = await send({ target, headers: json, body });
      expectProblem(answer, 400, 'MALFORMED_REQUEST');
      expect(answer.body.error).toBe('The request has too many fields');
    }
  });
});

describe('a refusal', () => {
  it.each([
    ['a great many unknown fields', Array.from({ length: 3_000 }, (_, n) => `f${n}`), 20],
    ['one endless name', ['x'.repeat(900_000)], 1],
  ])('of %s is short', async (_, names, shown) => {
    const body = `{${names.map((name) => `"${name}":1`).join(',')}}`;
    const answer = await send({ target: '/api/customers/search', headers: json, body });
    expectProblem(answer, 400, 'VALIDATION_FAILED');
    expect(Object.keys(answer.body.fields)).toHaveLength(shown);
    expect(JSON.stringify(answer.body).length).toBeLessThan(3_000);
  });
});

describe('the size of a body', () => {
  const filler = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) });

  it.each([
    ['1 MB', 1024 * 1024, '/api/customers'],
    ['1 MB', 1024 * 1024, '/api/documents/search'],
    ['16 KB', 16 * 1024, '/api/auth/login'],
  ])('is at most %s (%i bytes) on %s', async (_, most, target) => {
    expectProblem(await send({ target, headers: json, body: filler(most) }), 400, 'VALIDATION_FAILED');
    const answer = await send({ target, headers: json, body: filler(most + 1) });
    expectProblem(answer, 413, 'REQUEST_TOO_LARGE');
    expect(answer.body.error).toBe('The request is too large');
  });

  it('is counted while reading when it is not announced', async () => {
    const chunk = 'x'.repeat(64 * 1024);
    const head = [
      `PUT /api/customers/${customerId} HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${admin.token}`,
      'content-type: application/json',
      'transfer-encoding: chunked',
      'connection: close',
    ];
    const chunks = `${(64 * 1024).toString(16)}\r\n${chunk}\r\n`.repeat(17);
    const answer = await sendBytes(app.url, `${head.join('\r\n')}\r\n\r\n${chunks}0\r\n\r\n`);
    expectProblem({ ...answer, body: JSON.parse(answer.body) }, 413, 'REQUEST_TOO_LARGE');
  });

  it('does not matter for callers without access: they are refused first', async () => {
    const answer = await app.client('none').post('/api/documents', { name: 'x'.repeat(12 * 1024 * 1024) });
    expectProblem(answer, 401, 'UNAUTHENTICATED');
  });
});
