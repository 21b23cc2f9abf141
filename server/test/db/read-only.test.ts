import { customerFields, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createPool } from '../../src/db/client.ts';
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts';
import { startupText } from '../../src/start/startup-errors.ts';

/** Like connections whose database has since become a standby or read-only. */
async function makeReadOnly(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) await client.query('set default_transaction_read_only = on');
  for (const client of clients) client.release();
}

describe('A read-only database', () => {
  let app: TestApp;
  let admin: TestUser;
  beforeAll(async () => {
    app = await startTestApp();
    admin = await makeUser(app, 'admin');
  });

  const addCustomer = () => admin.client.post('/api/customers', customerFields());

  it('is reported as unavailable once per connection, which is then replaced', async () => {
    await Promise.all([addCustomer(), addCustomer(), addCustomer()]);
    const connections = app.pool.totalCount;
    await makeReadOnly(app.pool);
    const statuses: number[] = [];
    for (let turn = 0; turn <= connections; turn += 1) {
      const answer = await addCustomer();
      if (answer.status !== 201) expectProblem(answer, 503, 'DATABASE_UNAVAILABLE');
      statuses.push(answer.status);
    }
    expect(statuses[0]).toBe(503);
    expect(statuses.at(-1)).toBe(201);
  });

  it('is not used at all when it is read-only from the start, and recovers by itself', async () => {
    const { pathname } = new URL(app.databaseUrl);
    const name = `"${pathname.slice(1)}"`;
    const administrator = await app.pool.connect();
    try {
      await administrator.query(`alter database ${name} set default_transaction_read_only = on`);
      await administrator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
      );
      // The pool soon notices the broken connections.
      await expect.poll(() => app.pool.totalCount).toBe(1);
      expectProblem(await admin.client.get('/api/customers'), 503, 'DATABASE_UNAVAILABLE');
      expectProblem(await addCustomer(), 503, 'DATABASE_UNAVAILABLE');
      expect(await refusalOfStart(app.databaseUrl)).toBe(
        'DATABASE_URL: the database cannot be reached or refuses the connection ' +
          '(it can only be read: it is a standby, or its administrator has set it so)',
      );
      await administrator.query(`alter database ${name} reset default_transaction_read_only`);
    } finally {
      administrator.release();
    }
    expect((await addCustomer()).status).toBe(201);
  });
});

/** The error of a start with such a database. */
async function refusalOfStart(databaseUrl: string): Promise<string> {
  const pool = createPool(databaseUrl, 1, createLog('silent'));
  const error = await pool.connect().then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  await pool.end();
  expect(isDatabaseUnavailable(error)).toBe(true);
  return startupText(error);
}
