import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { download } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { search } from '@customer-database/testkit/search';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let from: number;
let to: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  from = (await makeCustomer(admin.client, { name: 'Old Owner' })).id;
  to = (await makeCustomer(admin.client, { name: 'New Owner' })).id;
});

const put = (id: number, changes: object) => admin.client.put(`/api/documents/${id}`, changes);

describe('PUT /api/documents/{id}', () => {
  it('renames, describes and moves a document, whose bytes stay', async () => {
    const bytes = aPdf('to be moved');
    const { id } = await makeDocument(admin.client, from, { filename: 'draft.pdf' }, bytes);
    const before = await lastActivityId(app);
    const { status, body } = await put(id, {
      filename: 'Final.PDF',
      description: 'Signed by both',
      customer_id: to,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: 'Document updated successfully',
      document: { id, filename: 'Final.PDF', description: 'Signed by both', customer_name: 'New Owner' },
    });
    expect((await staff.client.get(`/api/documents/${id}`)).body.document).toEqual(body.document);
    expect(await download(staff.client, id)).toEqual(bytes);
    expect(
      (await activitySince(app, before)).find(({ action }) => action === 'document.updated'),
    ).toMatchObject({
      subject_label: 'Final.PDF',
      customer_id: to,
      detail: null,
      changes: {
        filename: { from: 'draft.pdf', to: 'Final.PDF' },
        description: { from: 'A test document', to: 'Signed by both' },
        customer_id: { from, to },
        customer_name: { from: 'Old Owner', to: 'New Owner' },
      },
    });
    const found = await search(staff.client, 'new final signed');
    expect(found.documents.items.map((document) => document.id)).toEqual([id]);
    expect((await search(staff.client, 'draft')).documents.count).toBe(0);
  });

  it('leaves alone what is not sent, and empties a description', async () => {
    const { id } = await makeDocument(admin.client, from, { filename: 'kept.pdf', description: 'Kept' });
    expect((await put(id, { filename: 'renamed.pdf' })).body.document).toMatchObject({
      filename: 'renamed.pdf',
      description: 'Kept',
      customer_id: from,
    });
    expect((await put(id, { description: '' })).body.document).toMatchObject({ description: null });
    expect((await put(id, {})).body.document).toMatchObject({ filename: 'renamed.pdf', description: null });
  });

  it('accepts a change of case of the name', async () => {
    const { id } = await makeDocument(admin.client, from, { filename: 'letters.pdf' });
    expect((await put(id, { filename: 'LETTERS.pdf' })).body.document.filename).toBe('LETTERS.pdf');
  });

  it('refuses a taken name or a wrong extension, names the field and changes nothing', async () => {
    const { id } = await makeDocument(admin.client, from, { filename: 'mine.pdf' });
    await makeDocument(admin.client, from, { filename: 'taken.pdf' });
    await makeDocument(admin.client, to, { filename: 'mine.pdf' });
    const before = await fingerprintOf(app);
    const taken = 'This customer already has a document with this name';
    for (const [changes, fields] of [
      [{ filename: 'Taken.pdf' }, { filename: taken }],
      [{ customer_id: to }, { filename: taken }],
      [{ filename: 'mine.docx' }, { filename: 'Filename must end in .pdf' }],
      [{ filename: 'mine' }, { filename: 'Filename must end in .pdf' }],
    ] as const) {
      const answer = await put(id, changes);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields).toEqual(fields);
    }
    expectProblem(await put(id, { customer_id: 999_999 }), 404, 'NOT_FOUND');
    expectProblem(await put(999_999, { filename: 'a.pdf' }), 404, 'NOT_FOUND');
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it('lets one of three concurrent renames to the same name succeed', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async (n) => (await makeDocument(admin.client, to, { filename: `racer ${n}.pdf` })).id),
    );
    const answers = await Promise.all(ids.map((id) => put(id, { filename: 'winner.pdf' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});
