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

/** Sends text as latin1, in which each byte is a character. */
const sendBytes = (path: string, type: string, text: string): Promise<Answer> =>
  admin.client.send(path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: Uint8Array.from(Buffer.from(text, 'latin1')),
  });

it('JSON in another encoding than UTF-8 is refused', async () => {
  const json = JSON.stringify(customerFields());
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1');
  for (const text of [utf16(json), utf16(`\ufeff${json}`), '{"name":"Zo\xeb"}']) {
    const answer = await sendBytes('/api/customers', 'application/json; charset=utf-16', text);
    expectProblem(answer, 400, 'MALFORMED_REQUEST');
  }
});

const part = (head: string, content: string) =>
  `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string) => part(`name="${name}"`, content);
const file = (name: string) =>
  part(`name="file"; filename="${name}"\r\nContent-Type: application/pdf`, aPdf().toString('latin1'));
const customer = () => field('customer_id', String(customerId));
const formType = 'multipart/form-data; boundary=edge';
const sendForm = (...parts: string[]) =>
  sendBytes('/api/documents', formType, `${parts.join('')}--edge--\r\n`);

async function expectRefused(refused: Promise<Answer>, fields?: Record<string, string>): Promise<void> {
  const answer = await refused;
  expect([400, 413, 415]).toContain(answer.status);
  expectProblem(answer, answer.status);
  if (fields) expect(answer.body.fields).toEqual(fields);
}

describe('a form', () => {
  it('uploads a document when it is valid', async () => {
    const description = Buffer.from('Zoë').toString('latin1');
    const filename = Buffer.from('Ångström.pdf').toString('latin1');
    const answer = await sendForm(customer(), field('description', description), file(filename));
    expect(answer.status).toBe(201);
    expect(answer.body.document).toMatchObject({
      customer_id: customerId,
      description: 'Zoë',
      filename: 'Ångström.pdf',
      mime_type: 'application/pdf',
    });
  });

  it('is refused when it is bad in any way, and stores nothing', async () => {
    const before = await fingerprintOf(app);
    for (const bytes of ['\xff', '\xc3', '\xc0\x80', '\xed\xa0\x80', '\xf5\x80\x80\x80']) {
      await expectRefused(sendForm(customer(), field('description', `a${bytes}b`), file('a.pdf')), {
        description: 'description is not valid UTF-8',
      });
      await expectRefused(sendForm(customer(), file(`a${bytes}.pdf`)), {
        filename: 'filename is not valid UTF-8',
      });
    }
    for (const id of ['', '0', '-1', '1.5', '9223372036854775808', "1' or '1"]) {
      await expectRefused(sendForm(field('customer_id', id), file('a.pdf')), {
        customer_id: 'Please select a customer',
      });
    }
    const refusals: [parts: string[], fields: Record<string, string>][] = [
      [[file('a.pdf')], { customer_id: 'Please select a customer' }],
      [[customer(), customer(), file('a.pdf')], { customer_id: 'customer_id was sent twice' }],
      [
        [customer(), field('filename', 'a.pdf'), field('mime_type', 'application/pdf')],
        { file: 'No file selected' },
      ],
      [
        [customer(), field('description', 'a\0b'), file('a.pdf')],
        { description: 'Description contains characters that cannot be stored' },
      ],
      [
        [customer(), field('description', 'x'.repeat(2001)), file('a.pdf')],
        { description: 'Description must be at most 2000 characters' },
      ],
      [
        [customer(), field('uploaded_by', '1'), file('a.pdf')],
        { uploaded_by: 'uploaded_by is not a field that can be set here' },
      ],
    ];
    for (const [parts, fields] of refusals) await expectRefused(sendForm(...parts), fields);
    await expectRefused(sendForm(customer(), file('a.pdf'), file('b.pdf')));
    await expectRefused(sendForm(customer(), field('__proto__', 'x'), file('a.pdf')));
    await expectRefused(
      sendForm(...Array.from({ length: 20 }, (_, n) => field(`f${n}`, 'x')), file('a.pdf')),
    );
    await expectRefused(sendForm(customer(), field('description', 'x'.repeat(100_000)), file('a.pdf')));
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', '--edge--\r\n'],
    ['with an empty boundary', 'multipart/form-data; boundary=', '--edge--\r\n'],
    ['with another boundary', 'multipart/form-data; boundary=other', `${file('a.pdf')}--edge--\r\n`],
    ['that is cut off', formType, file('a.pdf').slice(0, 120)],
    ['that is empty', formType, ''],
    ['that is JSON', formType, '{"customer_id":1}'],
  ])('%s is refused and stores nothing', async (_, type, text) => {
    const before = await fingerprintOf(app);
    await expectRefused(sendBytes('/api/documents', type, text));
    expect(await fingerprintOf(app)).toEqual(before);
  });
});
