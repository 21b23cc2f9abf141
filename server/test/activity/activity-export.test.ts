import { activitySince, breakActivityLog, lastActivityId } from '@customer-database/testkit/activity';
import { makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

async function exported(query: string): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(`${app.url}/api/activity/export?${query}`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(response.status).toBe(200);
  return { text: await response.text(), headers: response.headers };
}

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const fetching = 'fetch % from exported';

const runningExports = async () => {
  const { rows } = await app.pool.query(`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query like '${fetching}'`);
  return rows[0].count;
};

/** About 100 MB as JSON lines, more than the sockets of both sides keep. */
async function addMany(): Promise<void> {
  await app.pool.query(`
    insert into activity (at, action, actor_label, subject_type, detail, shown, salt, mac)
    select now(), 'texts.read', 'system', 'document', jsonb_build_object('text', repeat('x', 2000)), false, '', ''
    from generate_series(1, 50000)`);
}

/** Begins to read and stops: backpressure reaches the database. */
async function beginExport(): Promise<{ cancel(): Promise<void>; read(): Promise<number> }> {
  const controller = new AbortController();
  const response = await fetch(`${app.url}/api/activity/export?format=jsonl&action=texts.read`, {
    headers: { authorization: `Bearer ${admin.token}` },
    signal: controller.signal,
  });
  expect(response.status).toBe(200);
  return {
    async cancel() {
      controller.abort();
    },
    read: async () => (await response.text()).trimEnd().split('\n').length,
  };
}

describe('GET /api/activity/export', () => {
  const odd = [
    'two\nlines',
    'two\r\nlines',
    'a "quoted" text',
    'a, b; c\td',
    '=1+1',
    "'=1",
    'a;=cmd|x',
    '😀 漢字 é',
    '\u2028',
    '\\N',
  ];

  it('returns the rows of a filter as CSV, in which formulas are harmless', async () => {
    const customer = await makeCustomer(admin.client, { name: '=HYPERLINK("x")', city: '@SUM(A1)' });
    for (const label of odd) {
      await app.deps.db
        .insertInto('activity')
        .values({
          at: app.clock.now(),
          action: 'customer.updated',
          actor_id: admin.id,
          actor_label: label,
          subject_type: 'customer',
          subject_id: customer.id,
          subject_label: label,
          address: null,
          request_id: null,
          detail: JSON.stringify({ label }),
          shown: false,
          customer_id: customer.id,
          changes: JSON.stringify({ name: { from: label, to: null } }),
          salt: Buffer.alloc(0),
          mac: Buffer.alloc(0),
        })
        .execute();
    }
    const { text, headers } = await exported(`customer_id=${customer.id}&action=customer.updated`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename=activity-\d{4}-\d\d-\d\d\.csv$/,
    );
    expect(text.split('\n')[0]).toBe(
      'id,at,action,outcome,actor_id,actor_name,subject_type,subject_id,subject_label,customer_id,address,request_id,detail,changes',
    );
    const found = rowsOf(text);
    const escaped = odd.map(
      (label) => ({ '=1+1': "'=1+1", "'=1": "''=1", 'a;=cmd|x': "a;'=cmd|x" })[label] ?? label,
    );
    expect(found.map(({ subject_label }) => subject_label)).toEqual(escaped.toReversed());
    expect(found[0]).toMatchObject({
      outcome: 'done',
      actor_id: String(admin.id),
      subject_id: String(customer.id),
      address: '',
      detail: '{"label":"\\\\N"}',
    });
    expect(JSON.parse(found[0]?.changes ?? '')).toEqual({ name: { from: '\\N', to: null } });
    const created = rowsOf((await exported(`customer_id=${customer.id}&action=customer.created`)).text);
    expect(created[0]?.subject_label).toBe(`'=HYPERLINK("x")`);
  });

  it('returns them as JSON lines, as the list has them', async () => {
    const { activity } = (await admin.client.get('/api/activity?action=customer.updated&limit=200')).body;
    const { text, headers } = await exported('format=jsonl&action=customer.updated');
    expect(headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/\.jsonl$/);
    expect(activity).toHaveLength(odd.length);
    expect(linesOf(text)).toEqual(activity);
    expect(text.split('\n')).toHaveLength(odd.length + 1);
  });

  it('without a match is a header, or nothing', async () => {
    expect(rowsOf((await exported('person=999999')).text)).toEqual([]);
    expect((await exported('format=jsonl&outcome=refused&action=sign_out')).text).toBe('');
  });

  it('refuses an unknown format and a page', async () => {
    for (const query of ['format=xlsx', 'before=1', 'limit=5']) {
      expectProblem(await admin.client.get(`/api/activity/export?${query}`), 400, 'VALIDATION_FAILED');
    }
  });

  it('is logged with its filters before the first byte, and does not run unlogged', async () => {
    const before = await lastActivityId(app);
    await exported(`format=jsonl&person=${admin.id}&action=sign_out,customer.created&from=2026-01-01`);
    await admin.client.send('/api/activity/export', { method: 'HEAD' });
    expect(await activitySince(app, before)).toMatchObject([
      {
        action: 'activity.exported',
        actor_id: admin.id,
        subject_type: 'activity',
        shown: false,
        detail: {
          format: 'jsonl',
          person: admin.id,
          action: ['sign_out', 'customer.created'],
          from: '2026-01-01',
        },
      },
    ]);
    const repair = await breakActivityLog(app);
    const answer = await admin.client.get('/api/activity/export').finally(repair);
    expectProblem(answer, 500);
    expect(answer.headers.get('content-disposition')).toBeNull();
  });
});

describe('An export of many rows', () => {
  beforeAll(addMany);

  it('waits for its reader instead of keeping them in memory, and is complete', async () => {
    const { read } = await beginExport();
    const restingExports = async () => {
      const { rows } = await app.pool.query(`
        select state from pg_stat_activity
        where query like '${fetching}' and now() - state_change > interval '300 milliseconds'`);
      return rows;
    };
    // It has not read to the end, and reads nothing now.
    await expect.poll(restingExports).toEqual([{ state: 'idle in transaction' }]);
    expect(await read()).toBe(50_000);
    await vi.waitFor(async () => expect(await runningExports()).toBe(0));
  });

  it('ends when the client goes away', async () => {
    const { cancel } = await beginExport();
    await vi.waitFor(async () => expect(await runningExports()).toBe(1));
    await cancel();
    await vi.waitFor(async () => expect(await runningExports()).toBe(0));
  });

  it('breaks off visibly when the database is lost', async () => {
    const { read } = await beginExport();
    const done = read();
    await app.pool.query(`
      select pg_terminate_backend(pid) from pg_stat_activity where query like '${fetching}'`);
    await expect(done).rejects.toThrow();
  });

  it('waits while two others run', async () => {
    const first = await beginExport();
    const second = await beginExport();
    const third = beginExport();
    const waiting = Promise.race([
      third.then(() => 'began'),
      new Promise((resolve) => setTimeout(resolve, 300)),
    ]);
    expect(await waiting).toBeUndefined();
    await first.cancel();
    await (await third).cancel();
    await second.cancel();
    await vi.waitFor(async () => expect(await runningExports()).toBe(0));
  });
});
