import { documentFields, fieldsOf } from '@customer-database/testkit/documents';
import {
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  unique,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
});

const search = (filters: Record<string, unknown>) => staff.client.post('/api/documents/search', filters);

async function namesFound(filters: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await search(filters);
  expect(status).toBe(200);
  expect(body.count).toBe(body.documents.length);
  return body.documents.map((document: { filename: string }) => document.filename);
}

/** Uploads at the given times, which must be in the past because the session started now. */
async function uploadAt(filenames: Record<string, string>): Promise<string> {
  const customer_name = unique('Calendar');
  const customer = await makeCustomer(admin.client, { name: customer_name });
  for (const [filename, moment] of Object.entries(filenames)) {
    app.clock.set(moment);
    const { uploaded_at } = await makeDocument(admin.client, customer.id, { filename });
    expect(uploaded_at.slice(0, 18)).toBe(new Date(moment).toISOString().slice(0, 18));
  }
  app.clock.set(new Date());
  return customer_name;
}

describe('POST /api/documents/search by text', () => {
  it('returns documents with their fields, and the count', async () => {
    const tag = unique('fields');
    const customer = await makeCustomer(admin.client);
    const document = await makeDocument(admin.client, customer.id, { filename: `${tag}.pdf` });
    const answer = await search({ filename: tag });
    expect(answer.body).toEqual({ documents: [document], count: 1, count_is_capped: false });
    expect(fieldsOf(answer.body.documents[0])).toEqual(documentFields);
  });

  it('finds by customer name, customer email and filename, and all filters must match', async () => {
    const tag = unique('tag');
    const customer = await makeCustomer(admin.client, {
      name: `Zoë ${tag}`,
      email: `zoe.${tag}@example.com`,
    });
    const filename = `Vertrag ${tag}.pdf`;
    await makeDocument(admin.client, customer.id, { filename });
    const filters = {
      customer_name: `ZOE ${tag}`,
      customer_email: `${tag}@EXAMPLE`,
      filename: `trag ${tag}`,
    };
    for (const [field, value] of Object.entries(filters)) {
      expect(await namesFound({ [field]: value }), field).toEqual([filename]);
    }
    expect(await namesFound(filters)).toEqual([filename]);
    for (const field of Object.keys(filters)) {
      expect(await namesFound({ ...filters, [field]: 'elsewhere' }), field).toEqual([]);
    }
  });

  it('matches anywhere in a filename, ignoring case and accents', async () => {
    const customer_email = `${unique('accents')}@example.com`;
    const { id } = await makeCustomer(admin.client, { email: customer_email });
    const filename = 'Übergabe Straße Łódź 合同 قرارداد.pdf';
    await makeDocument(admin.client, id, { filename });
    for (const term of [
      'ubergabe',
      'STRASSE',
      'straße',
      'lodz',
      '合同',
      'قرار',
      'ÜBERGABE str',
      '.PDF',
      '  lodz ',
    ]) {
      expect(await namesFound({ customer_email, filename: term }), term).toEqual([filename]);
    }
    expect(await namesFound({ customer_email, filename: 'ubergabe lodz' })).toEqual([]);
  });

  it('treats wildcards, quotes and backslashes as plain characters', async () => {
    const customer_email = `${unique('wild')}@example.com`;
    const { id } = await makeCustomer(admin.client, { email: customer_email });
    const filename = `50%_off "O'Brien".pdf`;
    await makeDocument(admin.client, id, { filename });
    await makeDocument(admin.client, id, { filename: '50x off.pdf' });
    for (const term of ['50%', '%_', '_off', `"O'B`]) {
      expect(await namesFound({ customer_email, filename: term }), term).toEqual([filename]);
    }
    for (const term of ['%%', '50_off', '\\', "' or 1=1 --"]) {
      expect(await namesFound({ customer_email, filename: term }), term).toEqual([]);
    }
  });

  it('refuses unknown filters and values that are not text', async () => {
    for (const filters of [
      { id: 1 },
      { filename: ['a'] },
      { filename: 5 },
      { filename: 'a\0b' },
      { limit: -1 },
    ]) {
      const answer = await search(filters);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.fields)).toEqual(Object.keys(filters));
    }
  });
});

describe('POST /api/documents/search by date', () => {
  it('counts days from midnight to midnight in Berlin, both ends included', async () => {
    const customer_name = await uploadAt({
      'last moment of the 9th.pdf': '2025-06-09T21:59:50Z',
      'first moment of the 10th.pdf': '2025-06-09T22:00:00Z',
      'last moment of the 10th.pdf': '2025-06-10T21:59:50Z',
      'first moment of the 11th.pdf': '2025-06-10T22:00:00Z',
    });
    const found = (date_from?: string, date_to?: string) => namesFound({ customer_name, date_from, date_to });
    const tenth = ['last moment of the 10th.pdf', 'first moment of the 10th.pdf'];
    expect(await found('2025-06-10', '2025-06-10')).toEqual(tenth);
    expect(await found('2025-06-10')).toEqual(['first moment of the 11th.pdf', ...tenth]);
    expect(await found(undefined, '2025-06-10')).toEqual([...tenth, 'last moment of the 9th.pdf']);
    expect(await found('2025-06-12', '2025-06-30')).toEqual([]);
  });

  it('refuses a first day after the last one, and invalid dates', async () => {
    const answer = await search({ date_from: '2025-06-11', date_to: '2025-06-10' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: 'Date from must not be after date to',
      fields: { date_from: 'Date from must not be after date to' },
    });
    for (const date_from of [
      '2025-02-29',
      '11.06.2025',
      '2025-6-1',
      'yesterday',
      '0000-01-01',
      '2025-06-11T10:00',
    ]) {
      const refused = await search({ date_from });
      expect(refused.body.fields, date_from).toEqual({
        date_from: 'Date from must be a date like 2026-01-31',
      });
    }
  });

  it('treats a blank date as not given', async () => {
    const filename = unique('blank');
    await makeDocument(admin.client, (await makeCustomer(admin.client)).id, { filename: `${filename}.pdf` });
    for (const blank of ['', ' ', null]) {
      expect(await namesFound({ filename, date_from: blank, date_to: blank })).toEqual([`${filename}.pdf`]);
    }
  });
});

describe('POST /api/documents/search, limits and totals', () => {
  it('returns the newest first, within the limit, and counts all', async () => {
    const customer_name = await uploadAt({
      'second.pdf': '2025-01-02T12:00:00Z',
      'first.pdf': '2025-01-01T12:00:00Z',
      'third.pdf': '2025-01-03T12:00:00Z',
    });
    const { body } = await search({ customer_name, limit: 2 });
    expect(body.documents.map((found: { filename: string }) => found.filename)).toEqual([
      'third.pdf',
      'second.pdf',
    ]);
    expect(body).toMatchObject({ count: 3, count_is_capped: false });
    expect((await search({ customer_name, limit: 0 })).body).toEqual({
      documents: [],
      count: 3,
      count_is_capped: false,
    });
    expect((await search({ customer_name, limit: 501 })).status).toBe(400);
  });

  it('matches everything without filters, with the exact total', async () => {
    const { rows } = await app.pool.query('select count(*)::int as total from documents');
    expect(rows[0].total).toBeGreaterThan(0);
    for (const filters of [{}, { filename: ' ', customer_name: '' }]) {
      const { body } = await search({ ...filters, limit: 1 });
      expect(body).toMatchObject({ count: rows[0].total, count_is_capped: false });
      expect(body.documents).toHaveLength(1);
    }
  });
});
