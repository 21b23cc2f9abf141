import { type ActivityRow, activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { issueLink } from '@customer-database/testkit/documents';
import {
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  unique,
} from '@customer-database/testkit/factories';
import { behindProxy, from, login, newAddress, wrongPassword } from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteExpired } from '../../src/modules/accounts/delete-expired.ts';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
  stopClock(app);
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
});

const summary = ({ action, actor_id, address, detail }: ActivityRow) => ({
  action,
  actor_id,
  address,
  more: detail?.more ?? 0,
});

/** Asks ten times at once, once a minute later, then twice more, and not again for an hour. */
async function expectOneRowAMinute(action: string, ask: (address: string) => Promise<{ status: number }>) {
  const before = await lastActivityId(app);
  const address = newAddress();
  const row = { action, actor_id: staff.id, address };
  const askTimes = async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => ask(address)));
    expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(403));
  };
  await askTimes(10);
  expect((await activitySince(app, before)).map(summary)).toEqual([{ ...row, more: 0 }]);
  await ask(newAddress());
  app.clock.advance(60_000);
  await askTimes(1);
  await askTimes(2);
  app.clock.advance(60_000);
  await deleteExpired(app.deps);
  const rows = await activitySince(app, before);
  expect(rows.filter((one) => one.address === address).map(summary)).toEqual([
    { ...row, more: 0 },
    { ...row, more: 9 },
    { ...row, more: 2 },
  ]);
  expect(rows).toHaveLength(4);
  await deleteExpired(app.deps);
  expect(await activitySince(app, before)).toHaveLength(4);
}

describe('repeated refusals', () => {
  it('for a missing role are one row a minute, which counts the rest', async () => {
    const routes = ['/api/customers', '/api/auth/invite'];
    let turn = 0;
    await expectOneRowAMinute('access.denied', (address) => {
      turn += 1;
      return staff.client.post(routes[turn % 2] ?? '', {}, from(address));
    });
  });

  it('of an expired link are one row a minute, which counts the rest', async () => {
    const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
    const url = await issueLink(staff.client, id, 'view');
    app.clock.advance(16 * 60_000);
    await expectOneRowAMinute('link.refused', (address) => app.client().get(url, from(address)));
  });

  it('from one network share one row a minute', async () => {
    const before = await lastActivityId(app);
    for (const host of ['1', '2', 'ffff:3'])
      await staff.client.post('/api/customers', {}, from(`2001:db8:1:2::${host}`));
    expect(await activitySince(app, before)).toHaveLength(1);
  });
});

describe('an address without a session', () => {
  async function rowsOfTables(): Promise<Map<string, number>> {
    const { rows } = await app.pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const counts = rows.map(async ({ name }) => {
      const counted = await app.pool.query(`select count(*)::int as rows from "${name}"`);
      return [name, counted.rows[0].rows] as const;
    });
    return new Map(await Promise.all(counts));
  }

  it('adds at most one row a minute to any table, however it guesses, and its throttles expire', async () => {
    app.clock.advance(3_600_001);
    await deleteExpired(app.deps);
    const address = newAddress();
    const guess = () => login(app, `${unique('made-up')}@example.com`, wrongPassword, address);
    const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
    const url = await issueLink(staff.client, id, 'view');
    await staff.client.get('/api/auth/verify');
    const before = await rowsOfTables();
    const end = app.clock.now().getTime() + 3_600_000;
    for (let left = 3_600_000; left > 0; left = end - app.clock.now().getTime()) {
      const answers = await Promise.all(Array.from({ length: 4 }, guess));
      await app.client().get(`${url}0`, from(address));
      const waits = answers.map((answer) => Number(answer.headers.get('retry-after')));
      app.clock.advance(Math.min(left, Math.max(...waits) * 1000));
    }
    const grown = [...(await rowsOfTables())].map(([name, rows]) => [name, rows - (before.get(name) ?? 0)]);
    const { throttles = 0, activity = 0, ...others } = Object.fromEntries(grown);
    expect(activity).toBeGreaterThan(45);
    expect(activity).toBeLessThanOrEqual(60);
    expect(throttles).toBeLessThanOrEqual(1 + 2 * activity);
    expect(Math.max(...Object.values<number>(others))).toBe(0);
    app.clock.advance(3_600_000);
    await deleteExpired(app.deps);
    expect((await app.pool.query('select * from throttles')).rows).toEqual([]);
  });
});
