import { randomUUID } from 'node:crypto';
import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { pdfOf, protectedPdf, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { checkDocuments, problemsIn } from '../../src/modules/documents/consistency/check.ts';
import { sweepObjects } from '../../src/modules/documents/consistency/sweep.ts';

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

const letter = { filename: 'letter.txt', mime_type: 'text/plain' };
const aLetter = () =>
  makeDocument(admin.client, customerId, letter, Buffer.from('Dear Ms. Nowak,\nthank you.'));
const aPaper = () =>
  makeDocument(admin.client, customerId, { filename: 'paper.pdf' }, pdfOf([textPage('Hydrangea')]));

const urlOf = async (id: number): Promise<string | null> =>
  (await admin.client.get(`/api/documents/${id}`)).body.document.thumbnail_url;

function untilMade(id: number): Promise<string> {
  return vi.waitFor(
    async () => {
      const url = await urlOf(id);
      if (!url) throw new Error('not made yet');
      return url;
    },
    { timeout: 60_000, interval: 50 },
  );
}

const fetchThumbnail = (url: string) => fetch(new URL(url, app.url));

async function keyOf(id: number): Promise<string> {
  const { rows } = await app.pool.query('select storage_key from document_files where document_id = $1', [
    id,
  ]);
  return rows[0].storage_key;
}

const untilGone = (key: string) =>
  vi.waitFor(async () => expect(await app.deps.storage.head(key)).toBeUndefined(), 20_000);

/** The session of the user expires meanwhile. */
async function passADay(): Promise<void> {
  app.clock.advance(25 * 3_600_000);
  admin = await makeUser(app, 'admin');
}

describe('The thumbnail', { timeout: 90_000 }, () => {
  it('of a PDF is a small picture of its first page', async () => {
    const { id } = await makeDocument(admin.client, customerId, { filename: 'sample.pdf' }, samples.pdf);
    const response = await fetchThumbnail(await untilMade(id));
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width).toBeGreaterThan(190);
    expect(info.width).toBeLessThanOrEqual(200);
    expect(info.height).toBeGreaterThan(250);
    // Paper and ink.
    expect(data.reduce((one, other) => Math.max(one, other))).toBeGreaterThan(240);
    expect(data.reduce((one, other) => Math.min(one, other))).toBeLessThan(150);
  });

  it.each([
    ['wide', [14_400, 40]],
    ['tall', [20, 14_400]],
  ] as const)('of a very %s page is a strip, at least a pixel thick', async (_shape, [width, height]) => {
    const page = { ...textPage('Strip'), size: [width, height] as [number, number] };
    const { id } = await makeDocument(admin.client, customerId, { filename: 'strip.pdf' }, pdfOf([page]));
    const response = await fetchThumbnail(await untilMade(id));
    const picture = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(Math.min(picture.width, picture.height)).toBe(1);
    expect(Math.max(picture.width, picture.height)).toBeGreaterThanOrEqual(200);
  });

  it('of another document is its first lines', async () => {
    const response = await fetchThumbnail(await untilMade((await aLetter()).id));
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('Dear Ms. Nowak,\nthank you.');
  });

  it('is part of lists, with the same URL for some minutes, and is not logged', async () => {
    const { id } = await aLetter();
    const url = await untilMade(id);
    const before = await lastActivityId(app);
    const lists = [
      (await admin.client.get('/api/documents')).body.documents,
      (await admin.client.get(`/api/documents/customer/${customerId}`)).body.documents,
      (await admin.client.post('/api/documents/search', { filename: 'letter' })).body.documents,
    ];
    for (const documents of lists) {
      expect(documents.find((found: { id: number }) => found.id === id).thumbnail_url).toBe(url);
    }
    expect((await fetchThumbnail(url)).status).toBe(200);
    expect(await activitySince(app, before)).toEqual([]);
  });

  it('does not exist for a document that cannot be read', async () => {
    const { id } = await makeDocument(admin.client, customerId, { filename: 'locked.pdf' }, protectedPdf());
    await vi.waitFor(
      async () =>
        expect(
          (await app.pool.query('select made_at from document_files where document_id = $1', [id])).rows,
        ).toEqual([{ made_at: expect.any(Date) }]),
      { timeout: 60_000, interval: 50 },
    );
    expect(await urlOf(id)).toBeNull();
  });
});

describe('The link of a thumbnail', { timeout: 90_000 }, () => {
  it('is valid for one document and purpose, for 15 minutes', async () => {
    const [{ id }, { id: other }] = [await aLetter(), await aLetter()];
    const url = await untilMade(id);
    await untilMade(other);
    expect((await fetchThumbnail(url.replace(`/${id}/`, `/${other}/`))).status).toBe(403);
    expect((await fetchThumbnail(url.replace('thumbnail?', 'content?purpose=view&'))).status).toBe(403);
    expect((await fetchThumbnail(url.replace('thumbnail?', 'content?purpose=download&'))).status).toBe(403);
    expect((await fetchThumbnail(url.split('?')[0] ?? '')).status).toBe(400);
    app.clock.advance(15 * 60_000);
    expect((await fetchThumbnail(url)).status).toBe(403);
    expect((await fetchThumbnail(await untilMade(id))).status).toBe(200);
  });
});

describe('The object of a thumbnail', { timeout: 90_000 }, () => {
  it('is deleted with its document', async () => {
    const { id } = await aPaper();
    const url = await untilMade(id);
    const key = await keyOf(id);
    await admin.client.delete(`/api/documents/${id}`);
    await untilGone(key);
    expect((await fetchThumbnail(url)).status).toBe(403);
  });

  it('is made again when it is missing', async () => {
    const { id } = await aPaper();
    const url = await untilMade(id);
    const key = await keyOf(id);
    await app.deps.storage.delete(key);
    expect((await fetchThumbnail(url)).status).toBe(404);
    expect(await urlOf(id)).toBeNull();
    await enqueueScheduled(app.deps.db, 'extract-texts');
    expect((await fetchThumbnail(await untilMade(id))).status).toBe(200);
    expect(await keyOf(id)).not.toBe(key);
  });

  it('is known to the check, which reports no problem if it is missing', async () => {
    const [{ id }, { id: other }] = [await aPaper(), await aLetter()];
    await untilMade(id);
    await untilMade(other);
    await passADay();
    await app.deps.storage.delete(await keyOf(id));
    const result = await checkDocuments(systemContext(app.deps), { signal: AbortSignal.timeout(60_000) });
    expect(problemsIn(result)).toBe(0);
    await enqueueScheduled(app.deps.db, 'extract-texts');
    await untilMade(id);
  });

  it('is swept when it has no row, and only then', async () => {
    const { id } = await aPaper();
    await untilMade(id);
    const orphan = `derived/2026/01/${randomUUID()}`;
    await app.deps.storage.put(orphan, Buffer.from('left behind'));
    await passADay();
    expect(await sweepObjects(app.deps)).toBe(1);
    expect(await app.deps.storage.head(orphan)).toBeUndefined();
    expect(await app.deps.storage.head(await keyOf(id))).toBeDefined();
  });
});
