import { makeBucket } from '@customer-database/testkit/bucket';
import { aPdf, makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { type Swift, startSwift } from '@customer-database/testkit/swift';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const bucket = 'documents';
const inTab = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe.skipIf(inject('swiftLeftOut'))('the application on an S3 store', () => {
  let swift: Swift;
  let env: Record<string, string>;

  beforeAll(async () => {
    swift = await startSwift();
    env = {
      S3_BUCKET: bucket,
      S3_ENDPOINT: swift.endpoint,
      S3_ACCESS_KEY_ID: swift.accessKeyId,
      S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    };
    await makeBucket(swift, bucket);
  }, 120_000);

  afterAll(() => swift.stop());

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
    const { storage_key } = await app.deps.db
      .selectFrom('documents')
      .select('storage_key')
      .where('id', '=', document.id)
      .executeTakeFirstOrThrow();
    expect((await app.client().get('/s3/health')).body).toEqual({ status: 'OK' });

    const { body } = await admin.client.get(`/api/documents/${document.id}/download`);
    expect(new URL(body.download_url).origin).toBe(app.url);
    const file = await fetch(body.download_url);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(body.download_url, { headers: { range: 'bytes=1-3' } });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe('PDF');

    await admin.client.delete(`/api/documents/${document.id}`);
    await expect.poll(() => app.deps.storage.head(storage_key), { timeout: 15_000 }).toBeUndefined();
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

  it('returns 503 while the store is down, and recovers', async () => {
    const app = await startTestApp({ env });
    const { admin, document } = await uploadOne(app);
    const { body } = await admin.client.get(`/api/documents/${document.id}/download`);
    swift.suspend();
    const answer = await app.client().get(body.download_url);
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('STORAGE_UNAVAILABLE');
    expect((await app.client().get('/s3/health')).body).toEqual({ status: 'ERROR' });
    expect((await app.client().get('/health')).body).toEqual({ status: 'OK' });
    expect((await admin.client.get('/api/customers')).status).toBe(200);
    swift.resume();
    await expect
      .poll(async () => (await app.client().get('/s3/health')).body.status, {
        timeout: 30_000,
        interval: 500,
      })
      .toBe('OK');
    expect((await fetch(body.download_url)).status).toBe(200);
  }, 120_000);
});
