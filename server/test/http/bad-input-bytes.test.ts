import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import type { Answer } from '@customer-database/testkit/client';
import {
  aPdf,
  customerFields,
  makeCustomer,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

const app: TestApp = await startTestApp();
const withBody = operationsOf(apiDocument(app)).filter(({ body }) => body !== undefined);

let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

/** Invalid UTF-8: a stray byte, half a character, an overlong one, half a surrogate pair, one beyond Unicode. */
const noUtf8 = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]].map((bytes) =>
  Buffer.from(bytes),
);

async function sendBody(method: string, path: string, type: string, body: Buffer): Promise<Answer> {
  const answer = await sendRaw(app.url, {
    method,
    target: path.replace('{id}', String(customerId)),
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
    body,
  });
  return { ...answer, body: JSON.parse(answer.body) };
}

const around = (before: string, bytes: Buffer, after: string) =>
  Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);

describe('invalid UTF-8', () => {
  it.each(withBody)('is refused in the body of $name', async ({ method, path, body }) => {
    const before = await fingerprintOf(app);
    const [field = 'x'] = Object.keys(body?.properties ?? {});
    for (const bytes of noUtf8) {
      for (const json of [around(`{"${field}":"a`, bytes, 'b"}'), around('{"a', bytes, '":1}'), bytes]) {
        const answer = await sendBody(method, path, 'application/json', json);
        expectProblem(answer, 400, 'MALFORMED_REQUEST');
        expect(answer.body.error).toBe('The request is not valid UTF-8');
      }
    }
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it('is refused also as JSON in another encoding', async () => {
    const json = JSON.stringify(customerFields());
    const others = [Buffer.from(json, 'utf16le'), Buffer.from('\ufeff'.concat(json), 'utf16le')];
    for (const body of [...others, Buffer.from(JSON.stringify({ name: 'Zoë' }), 'latin1')]) {
      const answer = await sendBody('POST', '/api/customers', 'application/json; charset=utf-16', body);
      expectProblem(answer, 400, 'MALFORMED_REQUEST');
    }
  });
});

type Part = { head: string | Buffer; content: string | Buffer };

function form(parts: Part[]): Buffer {
  const chunks = parts.flatMap(({ head, content }) =>
    ['--edge\r\nContent-Disposition: form-data; ', head, '\r\n\r\n', content, '\r\n'].map((piece) =>
      Buffer.from(piece),
    ),
  );
  return Buffer.concat([...chunks, Buffer.from('--edge--\r\n')]);
}

const field = (name: string, content: string | Buffer): Part => ({ head: `name="${name}"`, content });
const file = (filename: string | Buffer, content: Buffer = aPdf()): Part => ({
  head: around('name="file"; filename="', Buffer.from(filename), '"\r\nContent-Type: application/pdf'),
  content,
});
const sendForm = (...parts: Part[]) =>
  sendBody('POST', '/api/documents', 'multipart/form-data; boundary=edge', form(parts));

describe('a form', () => {
  const customer = () => field('customer_id', String(customerId));

  it('uploads a document when it is valid', async () => {
    const answer = await sendForm(customer(), field('description', 'Zoë'), file('Ångström.pdf'));
    expect(answer.status).toBe(201);
    expect(answer.body.document).toMatchObject({
      customer_id: customerId,
      description: 'Zoë',
      filename: 'Ångström.pdf',
      mime_type: 'application/pdf',
    });
  });

  it('is refused when a field or the filename is invalid UTF-8', async () => {
    const before = await fingerprintOf(app);
    for (const bytes of noUtf8) {
      const described = await sendForm(
        customer(),
        field('description', around('a', bytes, 'b')),
        file('a.pdf'),
      );
      expectProblem(described, 400, 'VALIDATION_FAILED');
      expect(described.body.fields).toEqual({ description: 'description is not valid UTF-8' });
      const named = await sendForm(customer(), file(around('a', bytes, '.pdf')));
      expectProblem(named, 400, 'VALIDATION_FAILED');
      expect(named.body.fields).toEqual({ filename: 'filename is not valid UTF-8' });
    }
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each<[string, () => Part[], Record<string, string>]>([
    ['no customer', () => [file('a.pdf')], { customer_id: 'Please select a customer' }],
    [
      'an empty customer',
      () => [field('customer_id', ''), file('a.pdf')],
      { customer_id: 'Please select a customer' },
    ],
    [
      'customer 0',
      () => [field('customer_id', '0'), file('a.pdf')],
      { customer_id: 'Please select a customer' },
    ],
    [
      'customer -1',
      () => [field('customer_id', '-1'), file('a.pdf')],
      { customer_id: 'Please select a customer' },
    ],
    [
      'customer 1.5',
      () => [field('customer_id', '1.5'), file('a.pdf')],
      { customer_id: 'Please select a customer' },
    ],
    [
      'customer 2^63',
      () => [field('customer_id', '9223372036854775808'), file('a.pdf')],
      { customer_id: 'Please select a customer' },
    ],
    [
      'customer text',
      () => [field('customer_id', "1' or '1"), file('a.pdf')],
      { customer_id: 'Please select a customer' },
    ],
    [
      'no file',
      () => [customer(), field('filename', 'a.pdf'), field('mime_type', 'application/pdf')],
      { file: 'No file selected' },
    ],
    [
      'a NUL in the description',
      () => [customer(), field('description', 'a\0b'), file('a.pdf')],
      { description: 'Description contains characters that cannot be stored' },
    ],
    [
      'a long description',
      () => [customer(), field('description', 'x'.repeat(2001)), file('a.pdf')],
      { description: 'Description must be at most 2000 characters' },
    ],
    [
      'an unknown field',
      () => [customer(), field('uploaded_by', '1'), file('a.pdf')],
      { uploaded_by: 'uploaded_by is not a field that can be set here' },
    ],
    [
      'two customers',
      () => [customer(), customer(), file('a.pdf')],
      { customer_id: 'customer_id was sent twice' },
    ],
    [
      'two descriptions',
      () => [customer(), field('description', 'a'), field('description', 'b'), file('a.pdf')],
      { description: 'description was sent twice' },
    ],
  ])('with %s is refused and stores nothing', async (_, parts, fields) => {
    const before = await fingerprintOf(app);
    const answer = await sendForm(...parts());
    expectProblem(answer, 400, 'VALIDATION_FAILED');
    expect(answer.body.fields).toEqual(fields);
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each<[string, () => Part[]]>([
    ['two files', () => [customer(), file('a.pdf'), file('b.pdf')]],
    ['__proto__ as a field', () => [customer(), field('__proto__', 'x'), file('a.pdf')]],
    [
      'more parts than any form has',
      () => [...Array.from({ length: 20 }, (_, n) => field(`f${n}`, 'x')), file('a.pdf')],
    ],
    [
      'a field larger than any field',
      () => [customer(), field('description', 'x'.repeat(100_000)), file('a.pdf')],
    ],
  ])('with %s is refused and stores nothing', async (_, parts) => {
    const before = await fingerprintOf(app);
    const answer = await sendForm(...parts());
    expect([400, 413]).toContain(answer.status);
    expectProblem(answer, answer.status);
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each<[string, string, Buffer]>([
    ['without a boundary', 'multipart/form-data', form([])],
    ['with an empty boundary', 'multipart/form-data; boundary=', form([])],
    ['with another boundary', 'multipart/form-data; boundary=other', form([file('a.pdf')])],
    ['that breaks off', 'multipart/form-data; boundary=edge', form([file('a.pdf')]).subarray(0, 120)],
    ['that is empty', 'multipart/form-data; boundary=edge', Buffer.alloc(0)],
    ['that is JSON', 'multipart/form-data; boundary=edge', Buffer.from('{"customer_id":1}')],
  ])('%s is refused and stores nothing', async (_, type, body) => {
    const before = await fingerprintOf(app);
    const answer = await sendBody('POST', '/api/documents', type, body);
    expect([400, 415]).toContain(answer.status);
    expectProblem(answer, answer.status);
    expect(await fingerprintOf(app)).toEqual(before);
  });
});
