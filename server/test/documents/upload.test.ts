import {
  documentFields,
  fieldsOf,
  formOf,
  issueLink,
  kinds,
  pdfForm,
  stored,
  texts,
  uploadForm,
} from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { parse } from 'content-disposition';
import { beforeAll, describe, expect, it } from 'vitest';
import { uploadWays } from './upload-ways.ts';

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

/** Without documents, so that no name is taken. */
const newCustomer = async () => (await makeCustomer(admin.client)).id;
const pdf = (name = 'form.pdf', bytes = aPdf('Form')) => ({ name, type: 'application/pdf', bytes });

/** Fetches the file through both links, with the name from its headers. */
async function fetchNamed(
  id: number,
): Promise<{ name: string | undefined; bytes: Buffer; type: string | null }[]> {
  return Promise.all(
    (['download', 'view'] as const).map(async (purpose) => {
      const response = await fetch(await issueLink(admin.client, id, purpose));
      const disposition = response.headers.get('content-disposition') ?? '';
      return {
        name: parse(disposition).parameters.filename,
        bytes: Buffer.from(await response.arrayBuffer()),
        type: response.headers.get('content-type'),
      };
    }),
  );
}

describe('An uploaded file comes back byte for byte under its name', () => {
  const names = [
    '合同草案 2026年.',
    'عقد الإيجار النهائي.',
    `Say "hello", it's 100% 'fine'; really.`,
    'Family 👩‍👩‍👧‍👦 👍🏽 🇩🇪.',
    'naïve café Größe ﬁ x² — №5.',
    'नमस्ते می‌خواهم.',
    'percent %41%2F%.',
  ];

  // Every kind of file is among them.
  const files = names.map((start, index) => {
    const { kind, mimeType, bytes } = kinds[index % kinds.length] as (typeof kinds)[number];
    return { name: start + kind, type: mimeType, bytes };
  });

  it.each(files)('$name', async (file) => {
    const { name, type, bytes } = file;
    const fields = { customer_id: await newCustomer(), filename: name, mime_type: type };
    const answers = [await uploadForm(admin.client, formOf(fields, { ...file, name: 'upload.bin' }))];
    for (const { upload } of uploadWays) answers.push(await upload(admin.client, await newCustomer(), file));
    for (const { body } of answers) {
      expect(body.document).toMatchObject({ filename: name, mime_type: type, file_size: bytes.length });
      for (const fetched of await fetchNamed(body.document.id)) {
        expect(fetched.name).toBe(name);
        expect(fetched.bytes.equals(bytes)).toBe(true);
        expect(fetched.type).toBe(type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
      }
    }
  });
});

describe('POST /api/documents as a form', () => {
  it('returns the same as for JSON', async () => {
    const form = formOf({ customer_id: customerId, description: 'From a form' }, pdf());
    const answer = await uploadForm(admin.client, form);
    expect(answer.status).toBe(201);
    expect(fieldsOf(answer.body)).toEqual(['document', 'message']);
    expect(fieldsOf(answer.body.document)).toEqual(documentFields);
    expect(answer.body.document).toMatchObject({
      customer_id: customerId,
      filename: 'form.pdf',
      description: 'From a form',
      mime_type: 'application/pdf',
    });
  });

  it('prefers the filename and mime_type fields over those of the part, in any order', async () => {
    for (const order of ['before', 'after']) {
      const fields = { filename: `${order}.pdf`, mime_type: 'application/pdf', customer_id: customerId };
      const form = new FormData();
      const file = new File([new Uint8Array(aPdf())], 'blob', { type: 'application/octet-stream' });
      if (order === 'after') form.set('file_data', file);
      for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
      if (order === 'before') form.set('file_data', file);
      expect((await uploadForm(admin.client, form)).body.document).toMatchObject({
        filename: `${order}.pdf`,
        mime_type: 'application/pdf',
      });
    }
  });

  const renameFile = (form: FormData, name: string) => {
    form.delete('file');
    form.set(name, new File([], 'a.pdf'));
  };
  const big = pdf('cut.pdf', aPdf('x'.repeat(30_000))).bytes.toString('base64');

  it.each<[string, (form: FormData) => void, string, string]>([
    ['without a file', (form) => form.delete('file'), 'file', texts.noFile],
    ['with a file input left empty', (form) => form.set('file', new File([], '')), 'file', texts.noFile],
    ['without a customer', (form) => form.delete('customer_id'), 'customer_id', texts.noCustomer],
    [
      'with a customer id that is not a number',
      (form) => form.set('customer_id', '1 or 2'),
      'customer_id',
      texts.noCustomer,
    ],
    [
      'with a field twice',
      (form) => form.append('customer_id', '1'),
      'customer_id',
      'customer_id was sent twice',
    ],
    ['with the file as text', (form) => form.set('file', '[object Blob]'), 'file', texts.noFile],
    ['with the file as base64', (form) => form.set('file_data', big), 'file_data', texts.noFile],
    ['with an empty file of another name', (form) => renameFile(form, 'document'), 'document', texts.noFile],
    [
      'with a field that cannot be set',
      (form) => form.set('storage_key', 'x'),
      'storage_key',
      'storage_key is not a field that can be set here',
    ],
  ])('refuses a form %s', async (_, spoil, field, text) => {
    const before = await stored(app);
    const form = formOf({ customer_id: customerId }, pdf());
    spoil(form);
    const answer = await uploadForm(admin.client, form);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe(text);
    expect(answer.body.fields[field]).toBe(text);
    expect(await stored(app)).toEqual(before);
  });

  it('refuses a second file and stores neither', async () => {
    const before = await stored(app);
    const form = formOf({ customer_id: customerId }, pdf('one.pdf'));
    form.append('file', new File([new Uint8Array(aPdf())], 'two.pdf', { type: 'application/pdf' }));
    const answer = await uploadForm(admin.client, form);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('MALFORMED_REQUEST');
    expect(await stored(app)).toEqual(before);
  });

  const part = (disposition: string) =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\r\n`;
  const unreadable = 'The request is not a valid form';

  it.each([
    ['no boundary', 'multipart/form-data', 'x', unreadable],
    ['no end', 'multipart/form-data; boundary=b', part('name="file"; filename="a.pdf"'), unreadable],
    ['no form inside', 'multipart/form-data; boundary=b', 'not a form', unreadable],
    ['nothing inside', 'multipart/form-data; boundary=b', '', texts.noCustomer],
    [
      'a name that is no UTF-8',
      'multipart/form-data; boundary=b',
      `${part('name="file"; filename="\xff\xfe.pdf"')}--b--\r\n`,
      'filename is not valid UTF-8',
    ],
  ])('refuses a form with %s', async (_, contentType, body, text) => {
    const answer = await admin.client.send('/api/documents', {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: Buffer.from(body, 'latin1'),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe(text);
  });

  it('has a separate call that accepts only forms', async () => {
    const path = '/api/documents/upload';
    const answer = await uploadForm(admin.client, pdfForm(customerId), path);
    expect(answer.status).toBe(201);
    expect(answer.body.document).toMatchObject({ mime_type: 'application/pdf' });
    const asJson = await admin.client.post(path, uploadBody(customerId));
    expect(asJson.status).toBe(415);
    expect(asJson.body.error).toBe('Send the file as multipart/form-data');
  });
});
