import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { fetchBytes, issueLink } from '@customer-database/testkit/documents';
import { openReader } from '@customer-database/testkit/extraction';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { canConvert } from '@customer-database/testkit/libreoffice';
import { protectedDocx } from '@customer-database/testkit/real-files';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { checkDocuments, problemsIn } from '../../src/modules/documents/consistency/check.ts';
import { docxOf, paragraph } from '../converter/hostile-documents.ts';

const env = { DOCX_PREVIEW: 'libreoffice' };
const reader = openReader();
let app: TestApp;
let admin: TestUser;
let customerId: number;

const upload = (filename: string, bytes: Buffer) =>
  makeDocument(admin.client, customerId, { filename, mime_type: null }, bytes);

const previewOf = async (id: number): Promise<string> =>
  (await admin.client.get(`/api/documents/${id}`)).body.document.preview;

const untilIs = (id: number, state: string) =>
  vi.waitFor(async () => expect(await previewOf(id)).toBe(state), { timeout: 200_000, interval: 50 });

const previewLink = async (id: number) => `${await issueLink(admin.client, id, 'view')}&as=preview`;

async function keyOf(id: number): Promise<string> {
  const { rows } = await app.pool.query(
    `select storage_key from document_files where document_id = $1 and kind = 'preview'`,
    [id],
  );
  return rows[0].storage_key;
}

// Processes of the lowest priority wait on a busy machine.
describe.skipIf(!canConvert())('The preview', { timeout: 240_000 }, () => {
  let letter: number;
  let note: number;

  beforeAll(async () => {
    app = await startTestApp({ withJobs: true, env });
    admin = await makeUser(app, 'admin');
    customerId = (await makeCustomer(admin.client)).id;
    letter = (await upload('Letter.of May.docx', docxOf(paragraph('Hydrangea')))).id;
    note = (await upload('note.doc', Buffer.from('{\\rtf1 Rhododendron}'))).id;
    await untilIs(letter, 'ready');
    await untilIs(note, 'ready');
  }, 240_000);

  it('of a Word document is a PDF, made after the upload', async () => {
    const response = await fetch(await previewLink(letter));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="Letter.of May.pdf"');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(await reader.textOf(pdf)).toBe('Hydrangea');
    const head = await fetch(await previewLink(letter), { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(pdf.length));
    expect(await head.text()).toBe('');
    expect(await reader.textOf(await fetchBytes(await previewLink(note)))).toBe('Rhododendron');
  });

  it('leaves the document itself as it is, also for downloads', async () => {
    const bytes = docxOf(paragraph('Hydrangea'));
    const link = await issueLink(admin.client, letter, 'view');
    expect(await fetchBytes(link)).toEqual(bytes);
    expect(await fetchBytes(`${link}&as=attachment`)).toEqual(bytes);
    expect(await fetchBytes(await issueLink(admin.client, letter, 'download'))).toEqual(bytes);
  });

  it('is a view of the document in the log; without a preview, nothing is', async () => {
    const link = await previewLink(letter);
    const before = await lastActivityId(app);
    await fetchBytes(link);
    expect(await activitySince(app, before)).toMatchObject([
      { action: 'document.viewed', subject_id: letter, detail: { as: 'preview' } },
    ]);
    const other = await previewLink((await upload('other.pdf', samples.pdf)).id);
    const later = await lastActivityId(app);
    expect((await fetch(other)).status).toBe(404);
    expect(await activitySince(app, later)).toEqual([]);
  });

  it('does not exist of other, protected and damaged documents', async () => {
    const damaged = await upload('damaged.docx', docxOf('<w:tbl><w:p'));
    for (const [name, bytes] of [
      ['a.pdf', samples.pdf],
      ['a.txt', samples.txt],
      ['protected.docx', protectedDocx()],
    ] as const) {
      expect(await previewOf((await upload(name, bytes)).id)).toBe('none');
    }
    await untilIs(damaged.id, 'none');
    expect((await fetch(await previewLink(damaged.id))).status).toBe(404);
    expect(app.logs()).toMatch(
      new RegExp(`"document_id":${damaged.id},.*preview of a document could not be made`),
    );
  });

  it('opens by a view link of its document only', async () => {
    const link = await previewLink(letter);
    const download = await issueLink(admin.client, letter, 'download');
    const { thumbnail_url } = (await admin.client.get(`/api/documents/${letter}`)).body.document;
    expect((await fetch(link.replace(`/${letter}/`, `/${note}/`))).status).toBe(403);
    expect((await fetch(link.replace(/signature=./, 'signature=-'))).status).toBe(403);
    expect((await fetch(link.split('?')[0] ?? '')).status).toBe(400);
    expect((await fetch(`${download}&as=preview`)).status).toBe(400);
    expect((await fetch(`${download.replace('download&', 'view&')}&as=preview`)).status).toBe(403);
    const asView = thumbnail_url.replace('thumbnail?', 'content?purpose=view&as=preview&');
    expect((await fetch(new URL(asView, app.url))).status).toBe(403);
    expect((await fetch(`${link}&as=preview`)).status).toBe(400);
  });

  it('is never given to a tab, where the browser would show it itself', async () => {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const { pathname, search } = new URL(await previewLink(letter));
    const response = await app.app.inject({ url: pathname + search, headers });
    expect(response.headers['content-type']).toMatch('text/html');
  });

  it('ends with the link, the rights of its user, and the document', async () => {
    const user = await makeUser(app, 'staff');
    const disabled = `${await issueLink(user.client, letter, 'view')}&as=preview`;
    await fetchBytes(disabled);
    expect((await admin.client.post(`/api/users/${user.id}/disable`, {})).status).toBe(200);
    expect((await fetch(disabled)).status).toBe(403);

    const [link, key] = [await previewLink(note), await keyOf(note)];
    await fetchBytes(link);
    await admin.client.delete(`/api/documents/${note}`);
    expect((await fetch(link)).status).toBe(403);
    await vi.waitFor(async () => expect(await app.deps.storage.head(key)).toBeUndefined(), 20_000);

    const expiring = await previewLink(letter);
    app.clock.advance(15 * 60_000);
    for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }]) {
      expect((await fetch(expiring, init)).status).toBe(403);
    }
  });

  it('is made again when its object is missing or was changed', async () => {
    const changed = await keyOf(letter);
    const pdf = await fetchBytes(await previewLink(letter));
    await app.deps.storage.delete(changed);
    await app.deps.storage.put(changed, Buffer.from(pdf.map((byte) => byte ^ 1)));
    const answer = await fetch(await previewLink(letter))
      .then((response) => response.arrayBuffer())
      .catch(() => 'cut off');
    expect(Buffer.from(answer as ArrayBuffer).length).not.toBe(pdf.length);
    await vi.waitFor(async () => expect(await previewOf(letter)).toBe('waiting'), 20_000);
    await enqueueScheduled(app.deps.db, 'make-previews');
    await untilIs(letter, 'ready');

    await app.deps.storage.delete(await keyOf(letter));
    expect((await fetch(await previewLink(letter))).status).toBe(404);
    expect(await previewOf(letter)).toBe('waiting');
    const result = await checkDocuments(systemContext(app.deps), { signal: AbortSignal.timeout(60_000) });
    expect(problemsIn(result)).toBe(0);
  });
});
