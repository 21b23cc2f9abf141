import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createCustomerInput } from '@customer-database/contract/customers';
import { activitySince, breakActivityLog, lastActivityId } from '@customer-database/testkit/activity';
import {
  addMany,
  commandLine,
  exportedRows,
  exportHeader,
  forgetCustomers,
  importText,
  never,
  type StoredCustomer,
  storedCustomers,
} from '@customer-database/testkit/customer-files';
import { makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportCustomers } from '../../src/modules/customers/csv/export.ts';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});
beforeEach(() => forgetCustomers(app));

async function exportText(): Promise<string> {
  const output = new PassThrough();
  const options = { name: 'test', output, signal: never };
  const [content] = await Promise.all([text(output), exportCustomers(commandLine(app), options)]);
  return content;
}

async function addCustomers(customers: StoredCustomer[]): Promise<void> {
  const now = app.clock.now();
  const rows = customers.map((customer) => ({
    ...customer,
    name: customer.name ?? '',
    created_at: now,
    updated_at: now,
  }));
  if (rows.length > 0) await app.deps.db.insertInto('customers').values(rows).execute();
}

describe('An export', () => {
  it('contains every field of every customer, oldest first', async () => {
    const first = await makeCustomer(admin.client, { name: 'Bea "B", Ltd; €' });
    const second = await makeCustomer(admin.client, { name: 'Anna', phone_number: null, city: '' });
    await admin.client.put(`/api/customers/${first.id}`, { city: 'Bonn' });
    const content = await exportText();
    expect(content.startsWith(exportHeader)).toBe(true);
    const found = exportedRows(content);
    expect(found.map(({ id }) => Number(id))).toEqual([first.id, second.id]);
    const { body } = await admin.client.get(`/api/customers/${first.id}`);
    const { phone_number, ...rest } = body.customer;
    expect(found[0]).toEqual({ ...rest, id: String(first.id), phone_number: `'${phone_number}` });
    expect(found[1]).toMatchObject({ name: 'Anna', phone_number: '', city: '' });
  });

  it('without customers is only a header', async () => {
    expect(await exportText()).toBe(exportHeader);
  });

  it('is one consistent snapshot, however long it takes', async () => {
    await addMany(app, 5_000);
    let content = '';
    const output = new Writable({
      async write(chunk, _encoding, done) {
        const isFirst = content === '';
        content += chunk;
        if (isFirst) {
          await app.pool.query(`delete from customers where name = 'Number 4999'`);
          await app.pool.query(`update customers set name = 'Changed' where name = 'Number 5000'`);
          await addMany(app, 10);
        }
        done();
      },
    });
    const progress: [number, number][] = [];
    const onProgress = (customers: number, total: number) => progress.push([customers, total]);
    const options = { name: 'test', output, signal: never, onProgress };
    expect(await exportCustomers(commandLine(app), options)).toBe(5_000);
    const names = exportedRows(content).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 5_000 }, (_, index) => `Number ${index + 1}`));
    expect(progress.at(-1)).toEqual([5_000, 5_000]);
  });

  it('defuses formulas that a spreadsheet would run', async () => {
    const values = ['=1+1', '+1', '-1', '@A1', "'=1", '＝1+1', "'t Hooft", 'a=b', '1-2', '"=1"'];
    const split = ['a;=1', 'a; "=1', "a;'+1", 'a;b=1;-c', "a;b's"];
    for (const name of [...values, ...split]) await makeCustomer(admin.client, { name });
    const names = exportedRows(await exportText()).map(({ name }) => name);
    expect(names).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@A1",
      "''=1",
      "'＝1+1",
      "'t Hooft",
      'a=b',
      '1-2',
      '"=1"',
      "a;'=1",
      'a;\' "=1',
      "a;''+1",
      "a;b=1;'-c",
      "a;b's",
    ]);
  });

  it('is logged before the first byte, and not shown on the dashboard', async () => {
    await addMany(app, 2_001);
    const before = await lastActivityId(app);
    const shown = (await admin.client.get('/api/dashboard')).body.recent_activity;
    await exportText();
    const rows = await activitySince(app, before);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      action: 'customers.exported',
      actor_label: 'command line (test)',
      subject_type: 'customer',
      subject_id: null,
      subject_label: '2,001 customers',
      detail: { file: 'test' },
      shown: false,
    });
    expect((await admin.client.get('/api/dashboard')).body.recent_activity).toEqual(shown);
    const repair = await breakActivityLog(app);
    const output = new PassThrough();
    const unlogged = exportCustomers(commandLine(app), { name: 'test', output, signal: never });
    await expect(unlogged).rejects.toThrow('disk full');
    await repair();
    expect(output.read()).toBeNull();
  });

  it('stops when its signal is aborted', async () => {
    await addMany(app, 10);
    const signal = AbortSignal.abort();
    const output = new PassThrough();
    await expect(exportCustomers(commandLine(app), { name: 'test', output, signal })).rejects.toThrow();
  });
});

describe('An export that is imported again', () => {
  const nasty = fc.constantFrom(
    "'",
    '"',
    '=',
    '+',
    '-',
    '@',
    ',',
    ';',
    '\\',
    '\\N',
    '\\.',
    '\ufeff',
    '\ufffd',
    ' ',
    '\u00a0',
    'é',
    '＝',
    '😀',
    'e\u0301',
    '#',
    'NULL',
    '0',
    'a',
  );
  const line = (maxLength: number) =>
    fc.oneof(
      fc.string({ unit: nasty, maxLength: Math.min(maxLength, 12) }),
      fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) }),
      fc.constant('漢'.repeat(maxLength)),
    );
  const letters = fc.string({ unit: fc.constantFrom(..."ab'=+-.ü漢"), minLength: 1, maxLength: 10 });
  const input = fc.record({
    name: line(200),
    dob: fc
      .date({ min: new Date('0001-01-01'), max: new Date('2025-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    email: letters.map((local) => `${local}@example.com`),
    phone_number: fc.option(line(50)),
    street_line: fc.option(line(200)),
    city: fc.option(line(100)),
    province: fc.option(line(100)),
    country: fc.option(line(100)),
  });
  /** What the API would accept, as it would store it. */
  const customers = fc.array(
    input
      .map((given) => createCustomerInput.safeParse(given).data)
      .filter((taken) => taken !== undefined)
      .map((taken) => taken as StoredCustomer),
    { maxLength: 30 },
  );

  it('restores exactly the same customers', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(customers, async (made) => {
        await forgetCustomers(app);
        await addCustomers(made);
        const exported = await exportText();
        await forgetCustomers(app);
        expect(await importText(app, exported)).toMatchObject({
          imported: made.length,
          refused: { count: 0 },
        });
        expect(await storedCustomers(app)).toEqual(made);
      }),
      { numRuns: 30 },
    );
  });
});
