import { documentTypes } from '@customer-database/contract/documents';
import { download, formOf, stored, texts, uploadForm } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { uploadWays } from './upload-ways.ts';

const tenMiB = 10 * 1024 * 1024;

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

/** Still a valid PDF: readers ignore what follows the end. */
const pdfOf = (size: number) => Buffer.concat([aPdf(), Buffer.alloc(size, '\n')], size);
const pdf = (bytes: Buffer) => ({ name: 'document.pdf', type: 'application/pdf', bytes });

describe.each(uploadWays)('A file sent as $way', ({ upload, field }) => {
  it('may have exactly 10 MiB', async () => {
    const bytes = pdfOf(tenMiB);
    const answer = await upload(admin.client, customerId, pdf(bytes));
    expect(answer.status).toBe(201);
    expect(answer.body.document.file_size).toBe(tenMiB);
    expect((await download(admin.client, answer.body.document.id)).equals(bytes)).toBe(true);
  });

  it.each([tenMiB + 1, 3 * tenMiB])('may not have %i bytes', async (size) => {
    const before = await stored(app);
    const answer = await upload(admin.client, customerId, pdf(pdfOf(size)));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({
      error: texts.tooLarge,
      code: 'FILE_TOO_LARGE',
      fields: { [field]: texts.tooLarge },
    });
    expect(await stored(app)).toEqual(before);
  });

  it('may not be empty', async () => {
    const before = await stored(app);
    const answer = await upload(admin.client, customerId, pdf(Buffer.alloc(0)));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: texts.noFile, fields: { [field]: texts.noFile } });
    expect(await stored(app)).toEqual(before);
  });

  it.each([
    ['name', { name: 'setup.exe', type: 'application/x-msdownload', bytes: samples.docx }],
    ['declared type', { name: 'letter.doc', type: documentTypes['.docx'], bytes: samples.doc }],
    ['content', { name: 'page.pdf', type: 'application/pdf', bytes: Buffer.from('<!doctype html>') }],
  ])('is refused with a wrong %s', async (_, file) => {
    const before = await stored(app);
    const answer = await upload(admin.client, customerId, file);
    expect(answer.status).toBe(400);
    const text = expect.stringContaining(texts.wrongType);
    expect(answer.body).toMatchObject({
      error: text,
      code: 'INVALID_FILE_TYPE',
      fields: { [field]: text },
    });
    expect(await stored(app)).toEqual(before);
  });
});

describe('mime_type', () => {
  it('is optional: the content decides the type', async () => {
    for (const mime_type of [undefined, null, '', 'application/octet-stream']) {
      const answer = await admin.client.post('/api/documents', uploadBody(customerId, { mime_type }));
      expect(answer.body.document).toMatchObject({ mime_type: 'application/pdf' });
    }
  });

  it('is refused if it differs from the content, also beside the type of a form part', async () => {
    const mime_type = 'text/plain';
    const asJson = await admin.client.post('/api/documents', uploadBody(customerId, { mime_type }));
    const form = formOf({ customer_id: customerId, mime_type }, pdf(aPdf()));
    for (const answer of [asJson, await uploadForm(admin.client, form)]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain(texts.wrongType);
    }
  });

  it.each([
    ['a general type', '\r\nContent-Type: application/octet-stream'],
    ['no type', ''],
  ])('is not required of a form part with %s', async (_, type) => {
    const part = (head: string, body: string | Buffer) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ];
    const answer = await admin.client.send('/api/documents', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([
        ...part('name="customer_id"', String(customerId)),
        ...part(`name="file"; filename="a.pdf"${type}`, aPdf()),
        Buffer.from('--b--\r\n'),
      ]),
    });
    expect(answer.body.document).toMatchObject({ mime_type: 'application/pdf' });
  });
});
