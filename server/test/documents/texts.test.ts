import { documentTypes, type TextState } from '@customer-database/contract/documents';
import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { afterTest } from '@customer-database/testkit/cleanup';
import { storageKeyOf } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { untilWaiting } from '@customer-database/testkit/locks';
import { pdfOf, protectedPdf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import iconv from 'iconv-lite';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

type Extension = keyof typeof documentTypes;

async function upload(extension: Extension, bytes: Buffer): Promise<number> {
  const overrides = { filename: `paper${extension}`, mime_type: documentTypes[extension] };
  return (await makeDocument(admin.client, customerId, overrides, bytes)).id;
}

const detailsOf = async (id: number) => (await admin.client.get(`/api/documents/${id}`)).body.document;

const untilState = (id: number, state: TextState) =>
  vi.waitFor(async () => expect((await detailsOf(id)).text.state).toBe(state), {
    timeout: 60_000,
    interval: 50,
  });

async function textOf(id: number): Promise<string> {
  const { body } = await admin.client.get(`/api/documents/${id}/text?limit=200`);
  return body.pages.map(({ text }: { text: string }) => text).join('\n');
}

const rtf =
  "{\\rtf1\\ansi\\ansicpg1250{\\fonttbl{\\f0 Arial;}}\\f0 Umowa nr 7\\par \\u321?ucja \\b za\\'bf\\'f3\\'b3ci\\'b3a\\b0\\tab g\\'ea\\'9c.\\par}";
const wordXml = `<?xml version="1.0"?><?mso-application progid="Word.Document"?>
<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body>
<w:p><w:r><w:t>First line</w:t><w:br/><w:t>second &amp; last</w:t></w:r></w:p></w:body></w:wordDocument>`;

describe('The text of an uploaded document is read', { timeout: 90_000 }, () => {
  const kinds: [string, Extension, Buffer, string[], string | null][] = [
    ['PDF', '.pdf', samples.pdf, ['Northlake Furnishings', 'Bill to: the customer on record'], 'eng'],
    ['DOCX, with its header', '.docx', samples.docx, ['a home office', 'Northlake Furnishings'], 'eng'],
    ['DOC, with its header', '.doc', samples.doc, ['Halifax, Nova Scotia', 'Northlake Furnishings'], 'eng'],
    ['RTF', '.doc', Buffer.from(rtf), ['Umowa nr 7\nŁucja zażółciła\tgęś.'], null],
    ['Word XML', '.doc', Buffer.from(wordXml), ['First line\nsecond & last'], null],
    ['UTF-8', '.txt', Buffer.from('Größe, 契約, عقد'), ['Größe, 契約, عقد'], null],
    ['UTF-16', '.txt', Buffer.from('\ufeffzażółć', 'utf16le'), ['zażółć'], null],
    [
      'Cyrillic in an old code page',
      '.txt',
      iconv.encode('Договор поставки мебели и обслуживания заключён между сторонами', 'win1251'),
      ['Договор поставки мебели'],
      'rus',
    ],
    [
      'Japanese in an old code page',
      '.txt',
      iconv.encode('供給および保守契約書。供給者は、事務用家具を納入する。', 'shift_jis'),
      ['供給および保守契約書'],
      null,
    ],
  ];
  const idsByKind = new Map<string, number>();

  // At once, because each run of the job reads all that wait.
  beforeAll(async () => {
    for (const [kind, extension, bytes] of kinds) idsByKind.set(kind, await upload(extension, bytes));
  });

  it.each(kinds)('%s', async (kind, _extension, _bytes, passages, language) => {
    const id = idsByKind.get(kind) ?? 0;
    await untilState(id, 'ready');
    const text = await textOf(id);
    for (const passage of passages) expect(text).toContain(passage);
    const facts = (await detailsOf(id)).text;
    expect(facts).toMatchObject({ reason: null, page_count: expect.any(Number) });
    if (language) expect(facts.language).toBe(language);
  });

  it('page by page, and long texts in pages of about 3,000 characters', async () => {
    const pages = Array.from({ length: 7 }, (_, index) =>
      textPage(`This is page number ${index + 1} of seven`),
    );
    const pdf = await upload('.pdf', pdfOf(pages));
    const txt = await upload('.txt', Buffer.from('Some words of a long text.\n'.repeat(1_000)));
    await untilState(pdf, 'ready');
    const { body } = await admin.client.get(`/api/documents/${pdf}/text?page=3&limit=2`);
    expect(body).toMatchObject({ state: 'ready', page_count: 7, count: 2, total: 7, totalPages: 4 });
    expect(body.pages).toEqual([
      { page: 5, text: 'This is page number 5 of seven', waiting: false },
      { page: 6, text: 'This is page number 6 of seven', waiting: false },
    ]);
    await untilState(txt, 'ready');
    expect((await detailsOf(txt)).text.page_count).toBe(10);
    expect((await textOf(txt)).replaceAll('\n', '')).toBe('Some words of a long text.'.repeat(1_000));
  });

  it('with words joined that a line break divides', async () => {
    const id = await upload('.pdf', pdfOf([textPage('The main-', 'tenance of well-', 'Known desks')]));
    await untilState(id, 'ready');
    expect(await textOf(id)).toBe('The maintenance of well-Known desks');
  });
});

describe('A document without text', { timeout: 90_000 }, () => {
  it('has the state none', async () => {
    const id = await upload('.pdf', aPdf());
    await untilState(id, 'none');
    expect((await detailsOf(id)).text).toMatchObject({ page_count: 1, language: null });
  });

  it('is protected with a password', async () => {
    await untilState(await upload('.pdf', protectedPdf()), 'protected');
  });

  it('is damaged, and the reason is given', async () => {
    const id = await upload('.pdf', Buffer.from('%PDF-1.7 and nothing else'));
    await untilState(id, 'failed');
    expect((await detailsOf(id)).text.reason).toBe('it is damaged or in an unsupported format');
  });

  it('is missing in the storage', async () => {
    const id = await upload('.pdf', aPdf());
    await untilState(id, 'none');
    await app.deps.storage.delete(await storageKeyOf(app, id));
    await app.pool.query('update document_texts set read_at = null where document_id = $1', [id]);
    await enqueueScheduled(app.deps.db, 'extract-texts');
    await untilState(id, 'failed');
    expect((await detailsOf(id)).text.reason).toBe('its file is missing or damaged');
  });

  it('is given up after it ended the server three times', async () => {
    const id = await upload('.pdf', samples.pdf);
    await untilState(id, 'ready');
    await app.pool.query('update document_texts set read_at = null, attempts = 3 where document_id = $1', [
      id,
    ]);
    await enqueueScheduled(app.deps.db, 'extract-texts');
    await untilState(id, 'failed');
    expect((await detailsOf(id)).text.reason).toBe('reading it failed three times');
  });
});

describe('A scanned document', { timeout: 120_000 }, () => {
  it('is read by OCR, page by page, after the text of its other pages', async () => {
    const scan = async (...lines: string[]) => scannedPage(pdfOf([textPage(...lines)]));
    const pagesOf = async (id: number) => (await admin.client.get(`/api/documents/${id}/text`)).body.pages;
    const text = { page: 1, text: 'This page has a text layer', waiting: false };
    const scans = [await scan('The delivery of a hydrangea'), await scan('Signed by both parties')];
    const partly = await upload('.pdf', pdfOf([textPage(text.text), ...scans]));
    const wholly = await upload('.pdf', pdfOf([await scan('Only in the scan')]));
    await untilState(partly, 'ready');
    expect((await pagesOf(partly))[0]).toEqual(text);
    await vi.waitFor(async () => expect((await detailsOf(wholly)).text.page_count).toBe(1), 60_000);
    expect((await detailsOf(wholly)).text.state).toBe('waiting');
    await enqueueScheduled(app.deps.db, 'read-pictures');
    await untilState(wholly, 'ready');
    expect(await textOf(wholly)).toBe('Only in the scan');
    await vi.waitFor(
      async () =>
        expect(await pagesOf(partly)).toEqual([
          text,
          { page: 2, text: 'The delivery of a hydrangea', waiting: false },
          { page: 3, text: 'Signed by both parties', waiting: false },
        ]),
      { timeout: 60_000, interval: 100 },
    );
  });
});

describe('The text of a document', () => {
  it('is deleted with it', async () => {
    const id = await upload('.txt', samples.txt);
    await untilState(id, 'ready');
    await admin.client.delete(`/api/documents/${id}`);
    const { rows } = await app.pool.query(
      'select (select count(*) from document_pages where document_id = $1) + (select count(*) from document_texts where document_id = $1) as left_over',
      [id],
    );
    expect(Number(rows[0].left_over)).toBe(0);
    expect((await admin.client.get(`/api/documents/${id}/text`)).status).toBe(404);
  });

  it('is deleted with it even while it is being saved', async () => {
    const holder = await app.pool.connect();
    afterTest(async () => holder.release(true));
    await holder.query('begin; lock table document_pages in share mode');
    const id = await upload('.txt', Buffer.from('Deleted too soon'));
    await untilWaiting(app.pool, 1);
    const deletion = admin.client.delete(`/api/documents/${id}`);
    await untilWaiting(app.pool, 2);
    await holder.query('commit');
    expect((await deletion).status).toBe(200);
    const { rowCount } = await app.pool.query('select from document_texts where document_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  it('is readable by staff, and logged as a view', async () => {
    const staff = await makeUser(app, 'staff');
    const id = await upload('.txt', samples.txt);
    await untilState(id, 'ready');
    const before = await lastActivityId(app);
    expect((await staff.client.get(`/api/documents/${id}/text`)).status).toBe(200);
    expect(await activitySince(app, before)).toMatchObject([
      { action: 'document.viewed', actor_id: staff.id, subject_id: id, detail: { as: 'text' } },
    ]);
  });
});
