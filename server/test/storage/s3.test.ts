import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeBucket } from '@customer-database/testkit/bucket';
import { storageKeyOf } from '@customer-database/testkit/documents';
import { aPdf, makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { openFaultyProxy } from '@customer-database/testkit/faulty-proxy';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { type Swift, startSwift } from '@customer-database/testkit/swift';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ObjectStorage, StorageUnavailableError } from '../../src/storage/port.ts';
import { createS3Storage, type S3StorageOptions } from '../../src/storage/s3.ts';
import { behavesAsObjectStorage, bytesOf, expectUnavailable, newKey } from './storage-suite.ts';

const isLeftOut = inject('swiftLeftOut');
let swift: Swift;
let options: S3StorageOptions;

beforeAll(async () => {
  if (isLeftOut) return;
  swift = await startSwift();
  options = await makeBucket(swift, 'documents');
}, 120_000);
afterAll(() => swift?.stop(), 30_000);

describe.skipIf(isLeftOut)('documents in an S3 store', () => {
  let storage: ObjectStorage;

  beforeAll(() => {
    storage = createS3Storage(options);
  });
  afterAll(() => storage.close());

  behavesAsObjectStorage(() => storage);

  describe('presigned links', () => {
    const body = Buffer.from('%PDF-1.7 not really');
    const asked = {
      expiresInSeconds: 60,
      contentType: 'application/pdf',
      contentDisposition: `attachment; filename="r.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`,
    };
    const link = async (expiresInSeconds = asked.expiresInSeconds) => {
      const key = newKey();
      await storage.put(key, body);
      return (await storage.presign?.({ ...asked, key, expiresInSeconds })) ?? '';
    };

    it('serve the bytes with the requested type and disposition', async () => {
      const answer = await fetch(await link());
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(asked.contentType);
      expect(answer.headers.get('content-disposition')).toBe(asked.contentDisposition);
      expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
    });

    it('are refused when anything in them is changed', async () => {
      const url = await link();
      const signature = new URL(url).searchParams.get('X-Amz-Signature') ?? '';
      const other = signature.startsWith('0') ? '1' : '0';
      const tampered = [
        url.replace(signature, other + signature.slice(1)),
        url.replace('attachment', 'inline'),
        url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
        url.replace('/content?', '/other?'),
      ];
      for (const wrong of tampered) {
        expect(wrong).not.toBe(url);
        expect((await fetch(wrong)).status, wrong).toBe(403);
      }
      expect((await fetch(url.slice(0, url.indexOf('?')))).ok).toBe(false);
    });

    it('expire', async () => {
      const url = await link(1);
      await vi.waitFor(async () => expect((await fetch(url)).status).toBe(403), 10_000);
    });
  });

  it('does not serve a response cut in transit as the whole object', async () => {
    const key = newKey();
    await storage.put(key, randomBytes(3_000_000));
    const proxy = await openFaultyProxy(swift.endpoint);
    await proxy.set({ cut: 'answer', afterBytes: 1_000_000 });
    const through = createS3Storage({ ...options, endpoint: proxy.endpoint });
    const stream = await through.get(key);
    await expect(bytesOf(stream)).rejects.toBeInstanceOf(StorageUnavailableError);
    await through.close();
    await proxy.close();
  });

  it.each([
    ['the secret is wrong', { secretAccessKey: 'wrong' }],
    ['the bucket is missing', { bucket: 'missing' }],
    ['nothing listens', { endpoint: 'http://127.0.0.1:1' }],
  ])('fails when %s', async (_, difference) => {
    const other = createS3Storage({ ...options, ...difference });
    await expectUnavailable(other);
    await other.close();
  });

  it("does not mistake another server's 404 for a missing object", async () => {
    const other = createHttpServer((_, answer) => answer.writeHead(404).end());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const astray = createS3Storage({ ...options, endpoint: `http://127.0.0.1:${port}` });
    await expectUnavailable(astray);
    await astray.close();
    other.close();
  });

  it('times out when the store does not answer', async () => {
    const impatient = createS3Storage({ ...options, requestTimeoutMs: 500 });
    await impatient.checkHealth();
    swift.suspend();
    try {
      await expectUnavailable(impatient);
      const patient = createS3Storage(options);
      const begun = performance.now();
      await expect(patient.checkHealth()).rejects.toBeInstanceOf(StorageUnavailableError);
      // Before the default timeout of a request.
      expect(performance.now() - begun).toBeLessThan(15_000);
      await patient.close();
    } finally {
      swift.resume();
    }
    await impatient.checkHealth();
    await impatient.close();
  }, 60_000);
});

const inTab = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe.skipIf(isLeftOut)('the application on an S3 store', () => {
  let env: Record<string, string>;

  beforeAll(() => {
    env = {
      S3_BUCKET: options.bucket,
      S3_ENDPOINT: swift.endpoint,
      S3_ACCESS_KEY_ID: swift.accessKeyId,
      S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    };
  });

  async function uploadOne(app: TestApp) {
    const admin = await makeUser(app, 'admin');
    const customer = await makeCustomer(admin.client);
    const bytes = aPdf('in the cloud');
    const document = await makeDocument(admin.client, customer.id, { filename: 'Größe "1".pdf' }, bytes);
    return { admin, document, bytes };
  }

  it('stores, serves through its own links, and deletes', async () => {
    const app = await startTestApp({ env, withJobs: true });
    const { admin, document, bytes } = await uploadOne(app);
    const storageKey = await storageKeyOf(app, document.id);
    expect((await app.client().get('/s3/health')).body).toEqual({ status: 'OK' });

    const { body } = await admin.client.get(`/api/documents/${document.id}/download`);
    expect(new URL(body.download_url).origin).toBe(app.url);
    const file = await fetch(body.download_url);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(body.download_url, { headers: { range: 'bytes=1-3' } });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe('PDF');

    await admin.client.delete(`/api/documents/${document.id}`);
    await expect.poll(() => app.deps.storage.head(storageKey), { timeout: 15_000 }).toBeUndefined();
  }, 60_000);

  it("returns the store's own links with LINK_MODE=s3", async () => {
    const app = await startTestApp({ env: { ...env, LINK_MODE: 's3' } });
    const { admin, document, bytes } = await uploadOne(app);
    const { body } = await admin.client.get(`/api/documents/${document.id}/download`);
    expect(new URL(body.download_url).origin).toBe(new URL(swift.endpoint).origin);
    const file = await fetch(body.download_url);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.pdf",
    );
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    // A link to view it stays ours, and leads the viewer to the store for less time than it has left.
    const { view_url } = (await admin.client.get(`/api/documents/${document.id}/view`)).body;
    expect(new URL(view_url).origin).toBe(app.url);
    const { pathname, search } = new URL(view_url);
    const asPage = await sendRaw(app.url, { target: pathname + search, headers: inTab });
    expect(asPage.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const led = await fetch(view_url, { redirect: 'manual' });
    expect(led.status).toBe(302);
    expect(led.headers.get('cache-control')).toBe('no-store');
    const stored = new URL(led.headers.get('location') ?? '');
    expect(stored.origin).toBe(new URL(swift.endpoint).origin);
    expect(stored.searchParams.get('X-Amz-Expires')).toBe('60');
    expect((await fetch(view_url)).headers.get('content-disposition')).toMatch(/^inline/);
    expect((await fetch(view_url, { method: 'HEAD' })).headers.get('content-length')).toBe(`${bytes.length}`);
    const part = await fetch(view_url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PDF']);
    expect((await fetch(view_url.replace('signature=', 'signature=x'), { redirect: 'manual' })).status).toBe(
      403,
    );
    const tampered = body.download_url.replace(/(Signature=)(.)/, (_: string, name: string, digit: string) =>
      digit === '0' ? `${name}1` : `${name}0`,
    );
    expect((await fetch(tampered)).status).toBe(403);
  }, 60_000);
});
