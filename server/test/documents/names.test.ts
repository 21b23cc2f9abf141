import {
  download,
  formOf,
  storageKeyOf,
  stored,
  texts,
  uploadForm,
} from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
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

const check = (customer_id: unknown, filename: unknown) =>
  admin.client.post('/api/documents/check-duplicate', { customer_id, filename });

describe('A filename', () => {
  const noName = 'Filename must be the name of a file, such as document.pdf';

  it.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['C:\\Users\\me\\Contract.pdf', 'Contract.pdf'],
    ['exe.\u202efdp.pdf', 'exe.fdp.pdf'],
    ['cafe\u0301.pdf', 'café.pdf'],
  ])('%j is proposed and saved as %j', async (filename, saved) => {
    const { id } = await makeCustomer(admin.client);
    expect((await check(id, filename)).body).toEqual({ uniqueFilename: saved, isDuplicate: false });
    const answer = await admin.client.post('/api/documents', uploadBody(id, { filename }));
    expect(answer.status).toBe(201);
    expect(answer.body.document.filename).toBe(saved);
  });

  it.each([
    ['nothing', '', 'Filename is required'],
    ['blanks', '   ', 'Filename is required'],
    ['dots only', '...', noName],
    ['an extension only', '.pdf', noName],
    ['a path that ends in a slash', 'folder/', noName],
    ['invisible characters only', '\u200b\u200b.pdf', noName],
    ['a line break', 'a\nb.pdf', 'Filename must be a single line of text'],
    ['a carriage return', 'a\rb.pdf', 'Filename must be a single line of text'],
    ['an escape', 'a\u001b[31m.pdf', 'Filename must be a single line of text'],
    ['a line separator', 'a\u2028b.pdf', 'Filename must be a single line of text'],
    ['a NUL', 'a\0.pdf', 'Filename contains characters that cannot be stored'],
    ['half a character', 'a\ud83d.pdf', 'Filename contains characters that cannot be stored'],
    ['256 bytes', `${'é'.repeat(126)}.pdf`, 'Filename is too long: at most 255 bytes'],
    ['256 characters', `${'e'.repeat(252)}.pdf`, 'Filename must be at most 255 characters'],
  ])('of %s is refused', async (_, filename, text) => {
    const before = await stored(app);
    const answer = await admin.client.post('/api/documents', uploadBody(customerId, { filename }));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, code: 'VALIDATION_FAILED', fields: { filename: text } });
    expect(await stored(app)).toEqual(before);
  });

  it('of 255 bytes is kept, and shortened when numbered', async () => {
    const { id } = await makeCustomer(admin.client);
    const filename = `${'合'.repeat(83)}ab.pdf`;
    expect(Buffer.byteLength(filename)).toBe(255);
    const upload = async () => (await admin.client.post('/api/documents', uploadBody(id, { filename }))).body;
    expect((await upload()).document.filename).toBe(filename);
    const second = (await upload()).document.filename;
    expect(second).toBe(`${'合'.repeat(82)} (1).pdf`);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
  });

  it.each([{}, { filename: '../../up/evil.pdf' }])(
    'in a form is saved without its path, also with the fields %j',
    async (fields) => {
      const { id } = await makeCustomer(admin.client);
      const file = { name: '../../up/evil.pdf', type: 'application/pdf', bytes: aPdf() };
      const { body } = await uploadForm(admin.client, formOf({ customer_id: id, ...fields }, file));
      expect(body.document.filename).toBe('evil.pdf');
    },
  );

  it('is not part of the storage key', async () => {
    const { body } = await admin.client.post(
      '/api/documents',
      uploadBody(customerId, { filename: 'secret-plan.pdf' }),
    );
    const key = await storageKeyOf(app, body.document.id);
    expect(key).toMatch(/^documents\/\d{4}\/\d\d\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(JSON.stringify(body)).not.toContain(key);
    expect((await download(admin.client, body.document.id)).equals(aPdf())).toBe(true);
  });
});

describe('POST /api/documents/check-duplicate', () => {
  it('proposes the name while it is free, and a numbered one when it is taken', async () => {
    const { id } = await makeCustomer(admin.client);
    const other = await makeCustomer(admin.client);
    const free = { uniqueFilename: 'document.pdf', isDuplicate: false };
    expect((await check(id, 'document.pdf')).body).toEqual(free);
    // A proposal reserves nothing.
    expect((await check(id, 'document.pdf')).body).toEqual(free);
    await makeDocument(admin.client, id);
    const taken = { uniqueFilename: 'document (1).pdf', isDuplicate: true };
    expect((await check(id, 'document.pdf')).body).toEqual(taken);
    expect((await check(other.id, 'document.pdf')).body).toEqual(free);
    expect((await makeDocument(admin.client, id)).filename).toBe('document (1).pdf');
    expect((await check(id, 'document.pdf')).body.uniqueFilename).toBe('document (2).pdf');
  });

  it('ignores case and Unicode composition', async () => {
    const { id } = await makeCustomer(admin.client);
    await makeDocument(admin.client, id, { filename: 'Résumé.pdf' });
    const proposals = [
      ['RÉSUMÉ.PDF', 'RÉSUMÉ (1).PDF'],
      ['re\u0301sume\u0301.pdf', 'résumé (1).pdf'],
    ];
    for (const [filename, uniqueFilename] of proposals) {
      expect((await check(id, filename)).body).toEqual({ uniqueFilename, isDuplicate: true });
    }
    expect((await check(id, 'resume.pdf')).body.isDuplicate).toBe(false);
  });

  it('returns 404 for a customer who does not exist, 400 without customer or name', async () => {
    const missing = await check(99_999_999, 'document.pdf');
    expect(missing.status).toBe(404);
    expect(missing.body.error).toBe('Customer not found');
    expect((await check(undefined, 'document.pdf')).body.error).toBe(texts.noCustomer);
    expect((await check(1, ' ')).body).toMatchObject({ error: 'Filename is required' });
  });
});

describe('The same filename uploaded twenty times concurrently for one customer', () => {
  it('makes twenty documents with distinct names and intact content', async () => {
    const { id } = await makeCustomer(admin.client);
    const contents = Array.from({ length: 20 }, (_, number) => aPdf(`Copy ${number}`));
    const answers = await Promise.all(
      contents.map((bytes, number) =>
        number % 2
          ? admin.client.post('/api/documents', uploadBody(id, { filename: 'DOCUMENT.pdf' }, bytes))
          : uploadForm(
              admin.client,
              formOf({ customer_id: id }, { name: 'document.pdf', type: 'application/pdf', bytes }),
            ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const documents = answers.map(({ body }) => body.document);
    const expected = ['document.pdf', ...Array.from({ length: 19 }, (_, n) => `document (${n + 1}).pdf`)];
    expect(documents.map(({ filename }) => filename.toLowerCase()).sort()).toEqual(expected.sort());
    for (const [number, document] of documents.entries()) {
      expect((await download(admin.client, document.id)).equals(contents[number] ?? Buffer.alloc(0))).toBe(
        true,
      );
    }
    expect((await admin.client.get(`/api/documents/customer/${id}`)).body.count).toBe(20);
  });

  it('skips numbers that are already taken', async () => {
    const { id } = await makeCustomer(admin.client);
    for (const filename of ['a.pdf', 'a (1).pdf', 'A (3).PDF'])
      await makeDocument(admin.client, id, { filename });
    const next = async () => (await makeDocument(admin.client, id, { filename: 'a.pdf' })).filename;
    expect([await next(), await next()]).toEqual(['a (2).pdf', 'a (4).pdf']);
  });
});
