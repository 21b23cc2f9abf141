import { customerFields, makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let admin: TestUser;

beforeAll(async () => {
  admin = await makeUser(await startTestApp(), 'admin');
});

const sameEmail = 'A customer with this email exists';
const samePerson = 'A customer with this name and date of birth exists';

const create = (fields: Record<string, unknown>, query = '?check=duplicates') =>
  admin.client.post(`/api/customers${query}`, customerFields(fields));
const change = (id: number, changes: object) =>
  admin.client.put(`/api/customers/${id}?check=duplicates`, changes);

async function total(): Promise<number> {
  return (await admin.client.post('/api/customers/search', { limit: 0 })).body.count;
}

describe('saving a customer with check=duplicates', () => {
  it('does not create a second customer with the same email, or name and date of birth', async () => {
    const ann = await makeCustomer(admin.client, {
      name: 'Änne Nowak',
      dob: '1980-01-31',
      email: 'Anne@Nowak.example',
    });
    const before = await total();
    const byEmail = await create({ email: 'anne@nowak.EXAMPLE' });
    expect(byEmail.status).toBe(409);
    expect(byEmail.body).toMatchObject({ error: sameEmail, code: 'POSSIBLE_DUPLICATE', current: ann });
    const byName = await create({ name: 'anne nowak', dob: '1980-01-31' });
    expect(byName.body).toMatchObject({ error: samePerson, current: { id: ann.id } });
    expect(await total()).toBe(before);

    expect((await create({ name: 'Anne Nowak', dob: '1980-02-01' })).status).toBe(201);
    expect((await create({ email: 'anne@nowak.example' }, '')).status, 'without the check').toBe(201);
  });

  it('compares only changed fields, and only with others', async () => {
    const one = await makeCustomer(admin.client, { name: 'Max Twin', dob: '1990-05-05' });
    const two = await makeCustomer(admin.client, { name: 'Max Twin', dob: '1990-05-06' });
    expect((await change(two.id, { dob: '1990-05-05' })).body).toMatchObject({
      error: samePerson,
      current: { id: one.id },
    });
    expect((await change(two.id, { email: one.email?.toUpperCase() })).body.error).toBe(sameEmail);
    expect((await admin.client.get(`/api/customers/${two.id}`)).body.customer).toEqual(two);
    expect((await admin.client.put(`/api/customers/${two.id}`, { email: one.email })).status).toBe(200);
    // Unchanged or not comparable fields raise no question.
    expect((await change(two.id, { email: one.email, city: 'Bonn' })).status).toBe(200);
    expect((await change(two.id, { email: null, dob: null, name: 'Max Twin' })).status).toBe(200);
  });

  it('accepts no other checks', async () => {
    expect((await create({}, '?check=everything')).status).toBe(400);
  });
});
