import { documentTypes } from '@customer-database/contract/documents';
import type { Answer } from '@customer-database/testkit/client';
import { download, formOf, stored, texts, uploadForm } from '@customer-database/testkit/documents';
import { wordParts } from '@customer-database/testkit/docx-parts';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { zip } from '@customer-database/testkit/zip-builder';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const tenMiB = 10 * 1024 * 1024;

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

beforeEach(async () => {
  customerId = (await makeCustomer(admin.client)).id;
});

type File = { filename: string; mimeType: string; bytes: Buffer };

/** Each with the name of the file in its errors. */
const ways: [string, (file: File) => Promise<Answer>, string][] = [
  [
    'JSON',
    ({ filename, mimeType, bytes }) =>
      admin.client.post('/api/documents', uploadBody(customerId, { filename, mime_type: mimeType }, bytes)),
    'file_data',
  ],
  [
    'a form',
    ({ filename, mimeType, bytes }) =>
      uploadForm(
        admin.client,
        formOf({ customer_id: customerId }, { name: filename, type: mimeType, bytes }),
      ),
    'file',
  ],
];

/** Still a valid PDF: readers ignore what follows the end. */
const pdfOf = (size: number) => Buffer.concat([aPdf(), Buffer.alloc(size, '\n')], size);
const pdf = (bytes: Buffer) => ({ filename: 'document.pdf', mimeType: 'application/pdf', bytes });

describe.each(ways)('The size of a file sent as %s', (_, upload, field) => {
  it('may be exactly 10 MiB, and all of it comes back', async () => {
    const bytes = pdfOf(tenMiB);
    const answer = await upload(pdf(bytes));
    expect(answer.status).toBe(201);
    expect(answer.body.document.file_size).toBe(tenMiB);
    expect((await download(admin.client, answer.body.document.id)).equals(bytes)).toBe(true);
  });

  it.each([tenMiB + 1, tenMiB + 2, tenMiB + 300_000, 3 * tenMiB])('may not be %i bytes', async (size) => {
    const before = await stored(app);
    const answer = await upload(pdf(pdfOf(size)));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({
      error: texts.tooLarge,
      code: 'FILE_TOO_LARGE',
      fields: { [field]: texts.tooLarge },
    });
    expect(await stored(app)).toEqual(before);
  });

  it('may not be zero', async () => {
    const before = await stored(app);
    const answer = await upload(pdf(Buffer.alloc(0)));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: texts.noFile, fields: { [field]: texts.noFile } });
    expect(await stored(app)).toEqual(before);
  });

  it('may be a single character of text', async () => {
    const answer = await upload({ filename: 'a.txt', mimeType: 'text/plain', bytes: Buffer.from('a') });
    expect(answer.body.document.file_size).toBe(1);
  });
});

describe('file_data', () => {
  const valid = aPdf().toString('base64');

  it.each([
    ['a data URL', `data:application/pdf;base64,${valid}`],
    ['the alphabet of URLs', Buffer.concat([aPdf(), Buffer.from([255, 254, 251])]).toString('base64url')],
    ['line breaks', `${valid.slice(0, 76)}\r\n${valid.slice(76)}`],
    ['a blank at its end', `${valid} `],
    ['missing padding', valid.replace(/=*$/, '').slice(0, -1)],
    ['too much padding', `${valid.replace(/=*$/, '')}====`],
    ['bits that say nothing', `${Buffer.from('%PDF-1.4\n1').toString('base64').slice(0, -3)}R==`],
    ['no base64 at all', '%PDF-1.4'],
  ])('is refused with %s', async (_, file_data) => {
    const before = await stored(app);
    const answer = await admin.client.post('/api/documents', uploadBody(customerId, { file_data }));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('file_data must be the content of the file in base64');
    expect(Object.keys(answer.body.fields)).toEqual(['file_data']);
    expect(await stored(app)).toEqual(before);
  });

  it.each([undefined, null, '', 5, ['x'], { 0: 'x' }])('is refused as %j', async (file_data) => {
    const answer = await admin.client.post('/api/documents', uploadBody(customerId, { file_data }));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe(texts.noFile);
  });
});

const { docx, doc } = samples;
const html = Buffer.from('<!doctype html><script>alert(1)</script>');
const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(4096)]);

const bomb = zip([...wordParts, { name: 'word/media/a.bmp', content: Buffer.alloc(20 * 1024 * 1024) }]);

describe.each(ways)('A file sent as %s whose name, type and content disagree', (_, upload, field) => {
  it.each<[string, string, string, () => Buffer]>([
    ['a program by its name', 'setup.exe', 'application/x-msdownload', () => program],
    ['a program as .docx', 'setup.docx', documentTypes['.docx'], () => program],
    ['a page as .pdf', 'page.pdf', 'application/pdf', () => html],
    ['a page with a PDF after it', 'page.pdf', 'application/pdf', () => Buffer.concat([html, aPdf()])],
    ['a page as text/html', 'page.txt', 'text/html', () => html],
    ['a PDF as .txt', 'document.txt', 'application/pdf', () => aPdf()],
    ['a PDF without an extension', 'document', 'application/pdf', () => aPdf()],
    ['a PDF with an extension after its own', 'document.pdf.exe', 'application/pdf', () => aPdf()],
    ['a program of no declared type', 'setup.docx', 'application/octet-stream', () => program],
    ['a DOCX as .doc', 'letter.doc', documentTypes['.doc'], () => docx],
    ['a DOC as .docx', 'letter.docx', documentTypes['.docx'], () => doc],
    ['a DOC declared as DOCX', 'letter.doc', documentTypes['.docx'], () => doc],
    ['a zip as .docx', 'a.docx', documentTypes['.docx'], () => zip([{ name: 'a.txt', content: 'Text' }])],
    ['a DOCX that inflates to a thousand times its size', 'bomb.docx', documentTypes['.docx'], () => bomb],
    ['half a DOCX', 'half.docx', documentTypes['.docx'], () => docx.subarray(0, docx.length / 2)],
    ['text with NUL bytes', 'notes.txt', 'text/plain', () => Buffer.from('a\0b')],
    ['a picture', 'picture.png', 'image/png', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ])('is refused: %s', async (_name, filename, mimeType, bytes) => {
    const before = await stored(app);
    const answer = await upload({ filename, mimeType, bytes: bytes() });
    expect(answer.status).toBe(400);
    const text = expect.stringMatching(/\(\.pdf, \.docx, \.doc, or \.txt\) \w.*\.$/);
    expect(answer.body).toMatchObject({
      error: text,
      code: 'INVALID_FILE_TYPE',
      fields: { [field]: text },
    });
    expect(answer.body.error.startsWith(texts.wrongType)).toBe(true);
    expect(await stored(app)).toEqual(before);
  });

  it('is accepted when they agree, whatever the case and parameters of the type', async () => {
    const { body } = await upload({ filename: 'A.PDF', mimeType: 'Application/PDF; v=1', bytes: aPdf() });
    expect(body.document).toMatchObject({ filename: 'A.PDF', mime_type: 'application/pdf' });
  });
});

const formOfParts = (...parts: [head: string, body: Buffer | string][]) =>
  Buffer.concat([
    ...parts.flatMap(([head, body]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);

describe('mime_type', () => {
  it.each([undefined, null, '', 'application/octet-stream'])(
    'as %j leaves the type to the content',
    async (mime_type) => {
      const answer = await admin.client.post('/api/documents', uploadBody(customerId, { mime_type }));
      expect(answer.body.document).toMatchObject({ mime_type: 'application/pdf' });
    },
  );

  it.each(['text/plain', 'application/x-msdownload', 'octet-stream'])(
    'is refused as %j for a PDF',
    async (mime_type) => {
      const asJson = await admin.client.post('/api/documents', uploadBody(customerId, { mime_type }));
      const file = { name: 'a.pdf', type: 'application/pdf', bytes: aPdf() };
      const asForm = await uploadForm(admin.client, formOf({ customer_id: customerId, mime_type }, file));
      for (const answer of [asJson, asForm]) {
        expect(answer.status).toBe(400);
        expect(answer.body.error.startsWith(texts.wrongType)).toBe(true);
      }
    },
  );

  it.each([
    ['of the general type', 'name="file"; filename="a.pdf"\r\nContent-Type: application/octet-stream'],
    ['of no type', 'name="file"; filename="a.pdf"'],
  ])('is left to the content of a part %s', async (_, head) => {
    const answer = await admin.client.send('/api/documents', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: formOfParts(['name="customer_id"', String(customerId)], [head, aPdf()]),
    });
    expect(answer.body.document).toMatchObject({ filename: 'a.pdf', mime_type: 'application/pdf' });
  });
});
