import { randomUUID } from 'node:crypto';
import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { download, formOf, stored, uploadForm } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { whileHolding } from '@customer-database/testkit/locks';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const bytes = aPdf('Sent twice');

let app: TestApp;
let admin: TestUser;
let customerId: number;
let upload_id: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

beforeEach(async () => {
  customerId = (await makeCustomer(admin.client)).id;
  upload_id = randomUUID();
});

const asJson = (fields: Record<string, unknown> = {}, file = bytes) =>
  admin.client.post('/api/documents', uploadBody(customerId, { upload_id, ...fields }, file));

const asForm = (fields: Record<string, unknown> = {}) =>
  uploadForm(
    admin.client,
    formOf(
      { customer_id: customerId, upload_id, ...fields },
      { name: 'document.pdf', type: 'application/pdf', bytes },
    ),
  );

const documentsOf = async (id: number) => (await admin.client.get(`/api/documents/customer/${id}`)).body;

describe('An upload that is sent again with the same upload_id', () => {
  it.each([
    ['as JSON', asJson, asJson],
    ['as a form', asForm, asForm],
    ['as a form, then as JSON', asForm, asJson],
  ])('gets the answer of the first: %s', async (_, send, sendAgain) => {
    const first = await send();
    expect(first.status).toBe(201);
    const [before, lastActivity] = [await stored(app), await lastActivityId(app)];
    const second = await sendAgain({ upload_id: upload_id.toUpperCase() });
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(await stored(app)).toEqual(before);
    expect(await activitySince(app, lastActivity)).toEqual([]);
    expect(await documentsOf(customerId)).toMatchObject({ count: 1 });
  });

  it('gets the document under its current name and customer', async () => {
    const { id } = (await asJson()).body.document;
    const other = await makeCustomer(admin.client);
    await admin.client.put(`/api/documents/${id}`, { filename: 'renamed.pdf', customer_id: other.id });
    expect((await asJson()).body.document).toMatchObject({
      id,
      filename: 'renamed.pdf',
      customer_id: other.id,
    });
  });

  it('is saved anew when the document was deleted meanwhile', async () => {
    const first = (await asJson()).body.document;
    await admin.client.delete(`/api/documents/${first.id}`);
    const second = await asJson();
    expect(second.status).toBe(201);
    expect(second.body.document.id).not.toBe(first.id);
    expect(await download(admin.client, second.body.document.id)).toEqual(bytes);
  });

  it('is refused with another file, which would be lost', async () => {
    await asJson();
    const before = await stored(app);
    const text = 'Upload id was used for another file';
    const refused = await asJson({}, aPdf('Another file'));
    expectProblem(refused, 400, 'VALIDATION_FAILED');
    expect(refused.body.fields).toEqual({ upload_id: text });
    expect(await stored(app)).toEqual(before);
  });

  it('is refused for another customer, who would not get the document', async () => {
    const { id } = (await asJson()).body.document;
    const other = await makeCustomer(admin.client);
    const before = await stored(app);
    for (const send of [asJson, asForm]) {
      const refused = await send({ customer_id: other.id });
      expectProblem(refused, 409, 'CONFLICT');
      expect(refused.body.error).toBe('Upload id was used for another customer');
    }
    // Nor does a move of the document make it the upload for the other one.
    await admin.client.put(`/api/documents/${id}`, { customer_id: other.id });
    expectProblem(await asJson({ customer_id: other.id }), 409, 'CONFLICT');
    expect(await stored(app)).toEqual(before);
  });
});

describe('The same upload_id sent twice at once', () => {
  const lockCustomers = (ids: number[]) => (client: { query: (sql: string, values: unknown[]) => unknown }) =>
    Promise.resolve(client.query('select from customers where id = any($1) for update', [ids]));

  it.each([
    ['for one customer', false],
    ['for two customers, which only a broken client does', true],
  ])('makes one document %s', async (_, isForOther) => {
    const otherId = isForOther ? (await makeCustomer(admin.client)).id : customerId;
    const before = await stored(app);
    const answers = await whileHolding(app.pool, lockCustomers([customerId, otherId]), () => [
      asJson(),
      asForm({ customer_id: otherId }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, isForOther ? 409 : 201]);
    const saved = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    expect(saved[0]).toEqual(saved.at(-1));
    const after = await stored(app);
    expect(after.rows).toBe(before.rows + 1);
    expect(after.objects).toHaveLength(before.objects.length + 1);
    expect(await download(admin.client, saved[0]?.document.id)).toEqual(bytes);
  });
});

describe('upload_id', () => {
  it('belongs to its user: the same id of another user is another upload', async () => {
    const other = await makeUser(app, 'admin');
    const first = await asJson();
    const second = await other.client.post('/api/documents', uploadBody(customerId, { upload_id }, bytes));
    expect(second.status).toBe(201);
    expect(second.body.document).toMatchObject({ filename: 'document (1).pdf' });
    expect(second.body.document.id).not.toBe(first.body.document.id);
  });

  it('may be left out: then the same file sent twice is saved twice', async () => {
    for (const send of [asJson, asForm]) expect((await send()).status).toBe(201);
    const again = { upload_id: undefined };
    expect((await asJson(again)).body.document.filename).toBe('document (1).pdf');
    expect((await asJson(again)).body.document.filename).toBe('document (2).pdf');
  });

  it.each([
    ['JSON', asJson],
    ['a form', asForm],
  ])('must be a UUID in %s', async (_, send) => {
    const before = await stored(app);
    const refused = await send({ upload_id: 'first' });
    expectProblem(refused, 400, 'VALIDATION_FAILED');
    expect(refused.body.fields).toEqual({ upload_id: 'Upload id must be a UUID' });
    expect(await stored(app)).toEqual(before);
  });
});
