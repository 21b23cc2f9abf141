import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countRows,
  fetchBytes,
  formOf,
  issueLink,
  storageKeyOf,
  storedKeys,
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
import { pendingJobs } from '@customer-database/testkit/jobs';
import { whileHolding } from '@customer-database/testkit/locks';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const bytes = aPdf('Kept through the outage');

let app: TestApp;
let admin: TestUser;
let customerId: number;
let documentId: number;
let folder: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  folder = join(app.deps.config.dataDir, 'objects');
});

beforeEach(async () => {
  customerId = (await makeCustomer(admin.client)).id;
  documentId = (await makeDocument(admin.client, customerId, {}, bytes)).id;
});

const unavailable = { error: texts.storageAway, code: 'STORAGE_UNAVAILABLE' };
const healthOf = async (path: string) => {
  const { status, body } = await app.client().get(path);
  return { status, body };
};

describe('While the document storage is gone', () => {
  let isAway = false;

  beforeEach(async () => {
    await rename(folder, `${folder}-away`);
    isAway = true;
  });

  afterEach(() => bringBack());

  async function bringBack(): Promise<void> {
    if (isAway) await rename(`${folder}-away`, folder);
    isAway = false;
  }

  it('uploads are refused with 503 and a text, and leave no row', async () => {
    const rows = await countRows(app, 'documents');
    const form = formOf({ customer_id: customerId }, { name: 'a.pdf', type: 'application/pdf', bytes });
    for (const answer of [
      await admin.client.post('/api/documents', uploadBody(customerId)),
      await uploadForm(admin.client, form),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject(unavailable);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await countRows(app, 'documents')).toBe(rows);
  });

  it('documents are not served by GET, HEAD or range requests', async () => {
    const url = await issueLink(admin.client, documentId, 'download');
    for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }]) {
      const response = await fetch(url, init);
      expect(response.status).toBe(503);
      expect(response.headers.get('content-disposition')).toBeNull();
      if (init.method !== 'HEAD') expect(await response.json()).toMatchObject(unavailable);
    }
  });

  it('everything that needs no file works', async () => {
    const customer = await makeCustomer(admin.client);
    expect((await admin.client.get(`/api/customers/${customer.id}`)).status).toBe(200);
    expect((await admin.client.get(`/api/documents/${documentId}`)).body.document.id).toBe(documentId);
    expect((await admin.client.post('/api/documents/search', {})).status).toBe(200);
    expect((await admin.client.get('/api/dashboard')).status).toBe(200);
  });

  it('a document can be deleted: its object is removed when the storage is back', async () => {
    expect((await admin.client.delete(`/api/documents/${documentId}`)).status).toBe(200);
    expect((await pendingJobs(app.pool)).map(({ name }) => name)).toContain('delete-object');
  });

  it('/s3/health says ERROR and /health stays OK; both are OK when it is back, and so are uploads', async () => {
    await vi.waitFor(
      async () => expect(await healthOf('/s3/health')).toEqual({ status: 503, body: { status: 'ERROR' } }),
      { timeout: 20_000, interval: 200 },
    );
    expect(await healthOf('/health')).toEqual({ status: 200, body: { status: 'OK' } });
    await bringBack();
    await vi.waitFor(
      async () => expect(await healthOf('/s3/health')).toEqual({ status: 200, body: { status: 'OK' } }),
      { timeout: 20_000, interval: 200 },
    );
    expect((await makeDocument(admin.client, customerId)).filename).toBe('document (1).pdf');
    const url = await issueLink(admin.client, documentId, 'download');
    expect((await fetchBytes(url)).equals(bytes)).toBe(true);
  });
});

describe('A document whose object is', () => {
  const damages: [string, (key: string) => Promise<void>][] = [
    ['missing', (key) => app.deps.storage.delete(key)],
    ['shorter than it was', (key) => app.deps.storage.put(key, bytes.subarray(0, 100))],
    ['longer than it was', (key) => app.deps.storage.put(key, Buffer.concat([bytes, bytes]))],
  ];

  it.each(damages)('%s is never served with 200', async (_, damage) => {
    const url = await issueLink(admin.client, documentId, 'view');
    await damage(await storageKeyOf(app, documentId));
    for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }]) {
      const response = await fetch(url, init);
      expect(response.status).toBe(503);
      if (init.method !== 'HEAD') expect(await response.json()).toMatchObject(unavailable);
    }
    expect(app.logs()).toContain(await storageKeyOf(app, documentId));
    await admin.client.delete(`/api/documents/${documentId}`);
  });
});

describe('An upload', () => {
  it('has its object in place, with its checksum, before its row', async () => {
    const before = await storedKeys(app);
    const rows = await countRows(app, 'documents');
    let early: string[] = [];
    const [answer] = await whileHolding(
      app.pool,
      (client) => client.query('select id from customers where id = $1 for update', [customerId]),
      () => [admin.client.post('/api/documents', uploadBody(customerId, {}, bytes))],
      async () => {
        expect(await countRows(app, 'documents')).toBe(rows);
        early = (await storedKeys(app)).filter((key) => !before.includes(key));
        const stored = Buffer.concat(await (await app.deps.storage.get(early[0] ?? '')).toArray());
        expect(stored.equals(bytes)).toBe(true);
      },
    );
    const { rows: saved } = await app.pool.query('select storage_key, sha256 from documents where id = $1', [
      answer?.body.document.id,
    ]);
    expect(saved).toEqual([{ storage_key: early[0], sha256: createHash('sha256').update(bytes).digest() }]);
  });
});

describe('An upload whose row cannot be saved', () => {
  it('removes its object again', async () => {
    const before = await storedKeys(app);
    await app.pool.query(`create function refuse_document() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse_document before insert on documents for each row execute function refuse_document()`);
    const answer = await admin.client.post('/api/documents', uploadBody(customerId));
    await app.pool.query('drop trigger refuse_document on documents; drop function refuse_document');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await storedKeys(app)).toEqual(before);
    expect((await makeDocument(admin.client, customerId)).filename).toBe('document (1).pdf');
  });
});
