import { createClient } from '@customer-database/testkit/client';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, expect, it } from 'vitest';
import { readDemoAccounts, seedDemo } from '../../src/demo/seed.ts';

let app: TestApp;
const never = new AbortController().signal;

async function counts(): Promise<Record<string, number>> {
  const { rows } = await app.pool.query(`
    select (select count(*) from customers)::int as customers, (select count(*) from documents)::int as documents,
      (select count(distinct mime_type) from documents)::int as types, (select count(*) from users)::int as users`);
  return rows[0];
}

beforeAll(async () => {
  app = await startTestApp();
});

it('the demo resumes where it was interrupted, and ends with realistic data', async () => {
  const interrupt = new AbortController();
  await seedDemo(app.deps, () => interrupt.abort(), interrupt.signal);
  const first = await counts();
  expect((first.customers ?? 0) + (first.documents ?? 0)).toBe(200);

  await seedDemo(app.deps, () => undefined, never);
  const all = await counts();
  expect(all).toMatchObject({ customers: 300, types: 4, users: 2 });
  expect(all.documents).toBeGreaterThan(550);
  expect(all.documents).toBeLessThan(650);
}, 60_000);

it('its accounts can sign in, each with its role and a password generated for this data folder', async () => {
  const accounts = await readDemoAccounts(app.deps);
  expect(accounts.map((account) => account.role)).toEqual(['admin', 'staff']);
  for (const { email, password, role } of accounts) {
    const answer = await createClient(app.url).post('/api/auth/login', { email, password });
    expect(answer.body.user).toMatchObject({ email, role });
  }
});

it('a finished demo is not changed again', async () => {
  await app.pool.query('delete from documents where id = (select min(id) from documents)');
  const before = await counts();
  await seedDemo(app.deps, () => undefined, never);
  expect(await counts()).toEqual(before);
});
