import {
  customerFields,
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

const search = (filters: Record<string, unknown>) => staff.client.post('/api/customers/search', filters);

describe('POST /api/customers', () => {
  it('creates and returns a customer', async () => {
    const fields = customerFields({ name: '  Zoë  Ångström ' });
    const answer = await admin.client.post('/api/customers', fields);
    expect(answer.status).toBe(201);
    expect(answer.body.message).toBe('Customer created successfully');
    expect(answer.body.customer).toMatchObject({ ...fields, name: 'Zoë  Ångström' });
    expect(Object.keys(answer.body.customer).sort()).toEqual([
      'city',
      'country',
      'created_at',
      'dob',
      'email',
      'id',
      'name',
      'phone_number',
      'province',
      'street_line',
      'updated_at',
    ]);
  });

  it.each([
    ['name', 'Name is required'],
    ['dob', 'Date of Birth is required'],
    ['email', 'Email is required'],
  ])('requires %s', async (field, text) => {
    for (const value of [undefined, null, '', '   ']) {
      const answer = await admin.client.post('/api/customers', customerFields({ [field]: value }));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: text,
        code: 'VALIDATION_FAILED',
        fields: { [field]: text },
      });
    }
  });

  it('refuses fields that the caller may not set', async () => {
    const answer = await admin.client.post('/api/customers', {
      ...customerFields(),
      id: 7,
      created_at: 'now',
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual(['id', 'created_at']);
  });

  it('refuses a date of birth in the future or that does not exist', async () => {
    for (const dob of ['2999-01-01', '2001-02-29', '0000-01-01', '1980-1-1']) {
      expect((await admin.client.post('/api/customers', customerFields({ dob }))).status).toBe(400);
    }
  });
});

describe('PUT /api/customers/{id}', () => {
  it('sets what is sent, clears what is null or empty, keeps the rest', async () => {
    const customer = await makeCustomer(admin.client);
    app.clock.advance(1000);
    const answer = await admin.client.put(`/api/customers/${customer.id}`, {
      city: 'Köln',
      dob: null,
      email: '',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.message).toBe('Customer updated successfully');
    expect(answer.body.customer).toMatchObject({
      name: customer.name,
      city: 'Köln',
      dob: null,
      email: null,
      street_line: customer.street_line,
      created_at: customer.created_at,
    });
    expect(answer.body.customer.updated_at > customer.updated_at).toBe(true);
  });

  it('requires a name when one is sent', async () => {
    const customer = await makeCustomer(admin.client);
    const answer = await admin.client.put(`/api/customers/${customer.id}`, { name: ' ' });
    expect(answer.body).toMatchObject({ error: 'Name is required', fields: { name: 'Name is required' } });
  });

  it('ignores id and creation date of a record that is sent back', async () => {
    const customer = await makeCustomer(admin.client);
    const sent = { ...customer, id: 999_999, created_at: 'long ago', city: 'Bonn' };
    const answer = await admin.client.put(`/api/customers/${customer.id}`, sent);
    expect(answer.body.customer).toMatchObject({
      id: customer.id,
      created_at: customer.created_at,
      city: 'Bonn',
    });
  });

  it('refuses a change based on an older version, and returns the current one', async () => {
    const { id, updated_at } = await makeCustomer(admin.client);
    const put = (body: object) => admin.client.put(`/api/customers/${id}`, body);
    // Even though the server's clock has not moved.
    const first = await put({ city: 'Bonn', updated_at });
    expect(first.status).toBe(200);
    const late = await put({ city: 'Ulm', updated_at });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ code: 'CONFLICT', current: first.body.customer });
    expect((await admin.client.get(`/api/customers/${id}`)).body.customer).toEqual(first.body.customer);

    const { updated_at: seen } = late.body.current;
    const both = await Promise.all(['Kiel', 'Jena'].map((city) => put({ city, updated_at: seen })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await put({ city: 'Gera' })).body.customer.city, 'without it the last one wins').toBe('Gera');
    const refused = await put({ city: 'Hof', updated_at: 'yesterday' });
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.fields)).toEqual(['updated_at']);
  });

  it('returns 404 for a customer who does not exist', async () => {
    const answer = await admin.client.put('/api/customers/999999', { city: 'X' });
    expect(answer.status).toBe(404);
    expect(answer.body.error).toBe('Customer not found');
  });
});

describe('GET /api/customers', () => {
  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page=1&page=2',
    'limit=0',
    'limit=201',
    'limit=1e2',
    'sort=id',
  ])('refuses ?%s', async (query) => {
    const answer = await staff.client.get(`/api/customers?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toBeTypeOf('object');
  });
});

describe('GET /api/customers/{id}', () => {
  it('returns the customer, or 404', async () => {
    const customer = await makeCustomer(admin.client);
    expect((await staff.client.get(`/api/customers/${customer.id}`)).body).toEqual({ customer });
    expect((await staff.client.get('/api/customers/99999999')).body.error).toBe('Customer not found');
  });
});

describe('POST /api/customers/search', () => {
  it('matches anywhere, ignoring case and accents', async () => {
    const tag = unique('');
    const customer = await makeCustomer(admin.client, { name: `Łukasz Müller-Strauß ${tag}` });
    for (const name of ['lukasz', 'MULLER', 'müller', 'strauss', 'STRAUß', `uß ${tag}`]) {
      const answer = await search({ name });
      expect(answer.body.customers.map((found: { id: number }) => found.id)).toContain(customer.id);
    }
  });

  it('finds by every field, and all filters must match', async () => {
    const fields = customerFields({
      name: unique('Ñandú'),
      phone_number: '+44 20 7946 0958',
      street_line: unique('Allée'),
      city: unique('Orléans'),
      province: unique('Centre'),
      country: unique('France'),
    });
    const { id } = await makeCustomer(admin.client, fields);
    const { dob: _, ...filters } = { ...fields, phone_number: '20-7946.0958' };
    for (const [field, value] of Object.entries(filters)) {
      const answer = await search({ [field]: value });
      expect(
        answer.body.customers.map((found: { id: number }) => found.id),
        field,
      ).toContain(id);
    }
    expect((await search({ name: fields.name, city: 'elsewhere' })).body).toMatchObject({
      customers: [],
      count: 0,
    });
  });

  it('requires two characters of a street line', async () => {
    const answer = await search({ street_line: ' x ' });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('Please enter at least 2 characters for street line');
  });
});

describe('DELETE /api/customers/{id}', () => {
  it('deletes a customer, but not one with documents', async () => {
    const customer = await makeCustomer(admin.client);
    const document = await makeDocument(admin.client, customer.id);
    await makeDocument(admin.client, customer.id);
    const refused = await admin.client.delete(`/api/customers/${customer.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('This customer still has 2 documents. Delete the documents first.');
    const documents = await staff.client.get(`/api/documents/customer/${customer.id}`);
    for (const { id } of documents.body.documents) await admin.client.delete(`/api/documents/${id}`);
    expect((await staff.client.get(`/api/documents/${document.id}`)).status).toBe(404);
    const answer = await admin.client.delete(`/api/customers/${customer.id}`);
    expect(answer.body).toEqual({ message: 'Customer deleted successfully' });
    expect((await staff.client.get(`/api/customers/${customer.id}`)).status).toBe(404);
  });
});
