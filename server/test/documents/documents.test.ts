import { documentFields, fetchBytes, fieldsOf, texts } from '@customer-database/testkit/documents';
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
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin', { name: 'Ada Admin' });
  staff = await makeUser(app, 'staff');
});

const ids = (documents: { id: number }[]) => documents.map(({ id }) => id);

describe('POST /api/documents', () => {
  it('returns the saved document with its fields and no others', async () => {
    const customer = await makeCustomer(admin.client);
    const bytes = aPdf('Contract');
    const answer = await admin.client.post('/api/documents', uploadBody(customer.id, {}, bytes));
    expect(answer.status).toBe(201);
    expect(fieldsOf(answer.body)).toEqual(['document', 'message']);
    expect(answer.body.message).toBe('Document uploaded successfully');
    expect(fieldsOf(answer.body.document)).toEqual(documentFields);
    expect(answer.body.document).toMatchObject({
      customer_id: customer.id,
      customer_name: customer.name,
      customer_email: customer.email,
      filename: 'document.pdf',
      description: 'A test document',
      mime_type: 'application/pdf',
      file_size: bytes.length,
      uploaded_by_name: 'Ada Admin',
      protected: false,
    });
    expect(answer.body.document.id).toBeTypeOf('number');
    expect(answer.body.document.uploaded_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('accepts a description of several lines, none, or an empty one', async () => {
    const { id } = await makeCustomer(admin.client);
    const lines = 'First line\nSecond line';
    expect((await makeDocument(admin.client, id, { description: lines })).description).toBe(lines);
    for (const description of [undefined, null, '', '  ']) {
      expect((await makeDocument(admin.client, id, { description })).description).toBeNull();
    }
  });

  it('refuses fields that the caller may not set', async () => {
    const { id } = await makeCustomer(admin.client);
    const extra = { id: 7, storage_key: 'mine', uploaded_at: 'now' };
    const answer = await admin.client.post('/api/documents', uploadBody(id, extra));
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual(Object.keys(extra));
  });

  it('says which part is missing: the customer first, then the file', async () => {
    const customer = await makeCustomer(admin.client);
    for (const customer_id of [undefined, null, 0, -1, 1.5, '', 'x']) {
      const answer = await admin.client.post('/api/documents', { customer_id });
      expect(answer.body).toMatchObject({
        error: texts.noCustomer,
        fields: { customer_id: texts.noCustomer },
      });
    }
    const answer = await admin.client.post('/api/documents', { customer_id: customer.id });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: texts.noFile, code: 'VALIDATION_FAILED' });
  });

  it('returns 404 for a customer who does not exist', async () => {
    const answer = await admin.client.post('/api/documents', uploadBody(99_999_999));
    expect(answer.status).toBe(404);
    expect(answer.body.error).toBe('Customer not found');
  });
});

describe('GET /api/documents/{id} and GET /api/documents/customer/{id}', () => {
  it('return one document, and those of one customer, newest first', async () => {
    const customer = await makeCustomer(admin.client);
    const first = await makeDocument(admin.client, customer.id);
    app.clock.advance(1000);
    const second = await makeDocument(admin.client, customer.id);
    await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
    expect((await staff.client.get(`/api/documents/${first.id}`)).body).toEqual({
      document: {
        ...first,
        text: { state: 'waiting', reason: null, page_count: null, language: null },
        preview: 'none',
      },
    });
    const answer = await staff.client.get(`/api/documents/customer/${customer.id}`);
    expect(answer.body).toEqual({ documents: [second, first], count: 2 });
  });

  it('return 404 for a missing record and 400 for an invalid id', async () => {
    expect((await staff.client.get('/api/documents/99999999')).body.error).toBe('Document not found');
    expect((await staff.client.get('/api/documents/customer/99999999')).body.error).toBe(
      'Customer not found',
    );
    for (const id of ['0', '-1', '1.5', 'x', '1e3', '99999999999999999999', '%00']) {
      expect((await staff.client.get(`/api/documents/${id}`)).status, id).toBe(400);
    }
  });
});

describe('GET /api/documents', () => {
  it('returns pages of 50, newest first, with totals', async () => {
    const own = await startTestApp();
    const user = await makeUser(own, 'admin');
    const { id } = await makeCustomer(user.client);
    const document = await makeDocument(user.client, id);
    // Of several documents of the same moment, the one with the higher id is the newer.
    await own.pool.query(
      `insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
       select customer_id, n, n, mime_type, file_size, sha256, n,
         uploaded_at + n / 3 * interval '1 minute'
       from documents, generate_series(1, 51) as n`,
    );
    const first = await user.client.get('/api/documents');
    expect(fieldsOf(first.body)).toEqual(['count', 'documents', 'total', 'totalPages']);
    expect(first.body).toMatchObject({ count: 50, total: 52, totalPages: 2 });
    expect(fieldsOf(first.body.documents[0])).toEqual(documentFields);
    const second = await user.client.get('/api/documents?page=2');
    expect(second.body).toMatchObject({ count: 2, total: 52, totalPages: 2 });
    const newestFirst = Array.from({ length: 52 }, (_, index) => document.id + 51 - index);
    expect([...ids(first.body.documents), ...ids(second.body.documents)]).toEqual(newestFirst);
    const third = await user.client.get('/api/documents?page=3&limit=20');
    expect(third.body).toMatchObject({ count: 12, totalPages: 3 });
  });

  it.each(['page=0', 'page=x', 'limit=0', 'limit=201', 'page=1&page=2', 'sort=id'])(
    'refuses ?%s',
    async (query) => {
      const answer = await staff.client.get(`/api/documents?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('VALIDATION_FAILED');
    },
  );
});

describe('DELETE /api/documents/{id}', () => {
  it('deletes for good: every later call returns 404, and the name is free', async () => {
    const customer = await makeCustomer(admin.client);
    const { id } = await makeDocument(admin.client, customer.id);
    const answer = await admin.client.delete(`/api/documents/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Document deleted successfully' });
    for (const path of ['', '/download', '/view']) {
      const gone = await admin.client.get(`/api/documents/${id}${path}`);
      expect(gone.status).toBe(404);
      expect(gone.body).toMatchObject({ error: 'Document not found', code: 'NOT_FOUND' });
    }
    expect((await admin.client.delete(`/api/documents/${id}`)).status).toBe(404);
    expect((await staff.client.get(`/api/documents/customer/${customer.id}`)).body.count).toBe(0);
    expect((await makeDocument(admin.client, customer.id)).filename).toBe('document.pdf');
  });

  it('succeeds once of ten concurrent deletes', async () => {
    const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.client.delete(`/api/documents/${id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});

describe('GET /api/documents/{id}/download and /view', () => {
  it('return working links, the name to save under, and their expiry', async () => {
    const bytes = aPdf('Linked');
    const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id, {}, bytes);
    const before = app.clock.now().getTime();
    const download = await staff.client.get(`/api/documents/${id}/download`);
    expect(fieldsOf(download.body)).toEqual(['download_url', 'expires_at', 'filename']);
    expect(download.body.filename).toBe('document.pdf');
    const view = await staff.client.get(`/api/documents/${id}/view`);
    expect(fieldsOf(view.body)).toEqual(['expires_at', 'view_url']);
    for (const [url, expires_at] of [
      [download.body.download_url, download.body.expires_at],
      [view.body.view_url, view.body.expires_at],
    ]) {
      expect(new URL(url).origin).toBe(app.url);
      expect((await fetchBytes(url)).equals(bytes)).toBe(true);
      const lifetime = new Date(expires_at).getTime() - before;
      expect(Math.abs(lifetime - 15 * 60_000)).toBeLessThan(2_000);
    }
  });
});
