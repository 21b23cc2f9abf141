import { download, formOf, texts, uploadForm } from '@customer-database/testkit/documents';
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

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

describe('POST /api/documents/check-duplicate', () => {
  const check = (customer_id: unknown, filename: unknown) =>
    admin.client.post('/api/documents/check-duplicate', { customer_id, filename });

  it('proposes the name while it is free, and a numbered one when it is taken', async () => {
    const { id } = await makeCustomer(admin.client);
    const other = await makeCustomer(admin.client);
    const free = { uniqueFilename: 'document.pdf', isDuplicate: false };
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

  it('neither saves nor reserves anything: the name stays free', async () => {
    const { id } = await makeCustomer(admin.client);
    await check(id, 'plan.pdf');
    expect((await check(id, 'plan.pdf')).body).toEqual({ uniqueFilename: 'plan.pdf', isDuplicate: false });
    expect((await admin.client.get(`/api/documents/customer/${id}`)).body).toEqual({
      documents: [],
      count: 0,
    });
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
