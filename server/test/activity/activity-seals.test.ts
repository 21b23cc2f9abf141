import { customerFields, makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { recordActivity } from '../../src/modules/activity/commands.ts';
import { eraseActivityOf } from '../../src/modules/activity/seals/erase.ts';
import { removeOldActivity } from '../../src/modules/activity/seals/retention.ts';
import { sealActivity } from '../../src/modules/activity/seals/seal.ts';
import { verifyActivity } from '../../src/modules/activity/seals/verify.ts';
import { forge, tamper } from './tampering.ts';

const signal = new AbortController().signal;
const dayMs = 24 * 3_600_000;

async function verify(app: TestApp, noted?: { seal: number; hash: string }) {
  const problems: string[] = [];
  const onProblem = (text: string) => problems.push(text.replace(/ \(.*\)/, ''));
  const found = await verifyActivity(app.deps, { signal, noted: noted && [noted], onProblem });
  expect(found.problems).toBe(problems.length);
  return { ...found, problems };
}

let app: TestApp;
let admin: TestUser;
let customerId: number;

async function addRows(count: number): Promise<number[]> {
  const { rows: before } = await app.pool.query('select coalesce(max(id), 0)::int as id from activity');
  for (let added = 0; added < count; added += 1) {
    await admin.client.put(`/api/customers/${customerId}`, { city: `City ${added}` });
  }
  const { rows } = await app.pool.query('select id::int from activity where id > $1 order by id', [
    before[0].id,
  ]);
  return rows.map(({ id }) => id);
}

beforeEach(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

describe('the sealed log', () => {
  it('is as the server wrote it: sealed rows, and those that wait', async () => {
    await addRows(3);
    await sealActivity(app.deps);
    const [later] = await addRows(1);
    expect(await verify(app)).toMatchObject({ seals: 2, unsealed: 1, problems: [] });
    await sealActivity(app.deps);
    await sealActivity(app.deps);
    expect(await verify(app)).toMatchObject({ seals: 3, unsealed: 0, problems: [] });
    await tamper(app, `update activity set actor_label = 'A forger' where id = ${later}`);
    expect((await verify(app)).problems).toEqual([`row ${later} was changed`]);
  });

  it('names each row that was changed, sealed or not', async () => {
    const [sealed, other] = await addRows(2);
    await sealActivity(app.deps);
    const [waiting] = await addRows(1);
    await app.pool.query(
      'alter table activity alter mac drop not null; create table original as select * from activity',
    );
    for (const change of [
      `actor_id = null`,
      `actor_label = 'A forger'`,
      `at = at + interval '1 second'`,
      `action = 'customer.created'`,
      `subject_id = subject_id + 1`,
      `customer_id = customer_id + 1`,
      `subject_type = 'document'`,
      `address = '203.0.113.9'`,
      `request_id = 'x'`,
      `shown = not shown`,
      `subject_label = 'Another label'`,
      `changes = '{"city": {"from": null, "to": "Elsewhere"}}'`,
      `detail = '{"more": 1}'`,
      `salt = decode(repeat('00', 16), 'hex')`,
      `mac = decode(repeat('00', 16), 'hex')`,
      `mac = null`,
    ]) {
      await tamper(app, `update activity set ${change} where id in (${sealed}, ${waiting})`);
      const { problems } = await verify(app);
      expect(problems[0], change).toMatch(new RegExp(`^row ${sealed}\\b`));
      expect(problems[1], change).toMatch(new RegExp(`^row ${waiting}\\b`));
      expect(problems.join(), change).not.toContain(`row ${other} `);
      await tamper(
        app,
        'delete from activity; insert into activity overriding system value select * from original',
      );
    }
    expect((await verify(app)).problems).toEqual([]);
  });

  it('names rows that were removed, added, copied or moved', async () => {
    const [first, second, third, fourth] = await addRows(4);
    await sealActivity(app.deps);
    const columns =
      'at, action, actor_id, actor_label, subject_type, subject_id, subject_label, address, request_id, detail, shown, customer_id, changes, salt, mac';
    const id = (await addRows(1)).at(-1) ?? 0;
    const insert = (from: number | undefined, to: number) =>
      `insert into activity (id, ${columns}) overriding system value select ${to}, ${columns} from activity where id = ${from}`;

    await tamper(app, `delete from activity where id = ${first}`);
    expect((await verify(app)).problems).toEqual([`row ${first} was removed`]);
    await tamper(app, insert(second, first ?? 0));
    expect((await verify(app)).problems).toEqual([
      `row ${first} was changed`,
      `rows ${first} and ${second} are copies of one another`,
    ]);
    const both = `(${third}, ${fourth})`;
    await tamper(
      app,
      `create temp table moved as select * from activity where id in ${both}; delete from activity where id in ${both};
      insert into activity (id, ${columns}) overriding system value
      select ${third} + ${fourth} - id, ${columns} from moved; drop table moved`,
    );
    expect((await verify(app)).problems).toEqual(
      expect.arrayContaining([`row ${third} was changed`, `row ${fourth} was changed`]),
    );
    await tamper(app, insert(id, id + 1000));
    expect((await verify(app)).problems).toContain(`rows ${id} and ${id + 1000} are copies of one another`);
  });

  it('names a row between sealed ones, and one that the server did not write', async () => {
    // An id that was given out and rolled back.
    await app.pool.query("begin; select nextval('activity_id_seq'); rollback");
    const [after = 0] = await addRows(1);
    await sealActivity(app.deps);
    await forge(app, after - 1);
    await forge(app, after + 500);
    expect((await verify(app)).problems).toEqual([
      `row ${after - 1} was added later, or not written by this program`,
      `row ${after + 500} was changed, or not written by this program`,
    ]);
  });

  it('names seals that were changed, removed or taken back', async () => {
    for (let seal = 0; seal < 3; seal += 1) {
      await addRows(2);
      await sealActivity(app.deps);
    }
    const { newest } = await verify(app);
    const noted = { seal: newest?.id ?? 0, hash: newest?.hash.toString('hex') ?? '' };
    expect((await verify(app, noted)).problems).toEqual([]);
    await app.pool.query(`begin; update activity_seals set row_count = 1 where id = 3`);
    await app.pool.query('commit');
    expect((await verify(app)).problems).toEqual([expect.stringMatching(/^seal 3, of .* was changed/)]);
    await app.pool.query('update activity_seals set row_count = 2 where id = 3');
    expect((await verify(app)).problems).toEqual([]);
    // The newest seal and its rows, so that the chain is whole: only what was noted elsewhere tells.
    await tamper(app, `delete from activity where id > (select through_id from activity_seals where id = 3)`);
    await app.pool.query('delete from activity_seals where id = 4');
    const gone = expect.stringMatching(/^seal 4, .*is gone: rows may be gone with it$/);
    expect((await verify(app, noted)).problems).toEqual([gone, gone]);
    await app.pool.query('delete from activity_seals where id = 2');
    expect((await verify(app)).problems[0]).toBe('seal 2 is gone');
  });

  it('waits for a transaction that may still add a row', async () => {
    await sealActivity(app.deps);
    const client = await app.pool.connect();
    await client.query('begin');
    await client.query(
      `insert into activity (at, action, actor_label, subject_type, shown, salt, mac)
       values (now(), 'x', 'x', 'x', false, '', '')`,
    );
    const [committed] = await addRows(1);
    let isSealed = false;
    const sealing = sealActivity(app.deps).then(() => {
      isSealed = true;
    });
    await addRows(1);
    expect(isSealed).toBe(false);
    await client.query('rollback');
    client.release();
    await sealing;
    const { newest, problems } = await verify(app);
    expect(problems).toEqual([]);
    expect(newest?.through_id).toBeGreaterThanOrEqual(committed ?? 0);
  });
});

describe('names and values', () => {
  it('can be erased by the server, and no seal breaks; another erasure is found', async () => {
    const [first = 0] = await addRows(2);
    await sealActivity(app.deps);
    await addRows(1);
    const other = (await makeCustomer(admin.client, { name: 'Kept' })).id;
    const erased = await eraseActivityOf(systemContext(app.deps), customerId);
    expect(erased).toBe(4);
    const { rows } = await app.pool.query('select * from activity where customer_id = $1', [customerId]);
    expect(JSON.stringify(rows)).not.toContain('City 0');
    expect(rows.filter(({ erased: mark }) => mark !== null)).toHaveLength(4);
    expect((await admin.client.get(`/api/activity?customer_id=${other}`)).body.activity).toMatchObject([
      { subject_label: 'Kept' },
    ]);
    await sealActivity(app.deps);
    expect(await verify(app)).toMatchObject({ erased: 4, problems: [] });

    const fake = 'salt = null, subject_label = null, changes = null, detail = null';
    await tamper(
      app,
      `update activity set ${fake}, erased = decode(repeat('00', 48), 'hex') where customer_id = ${other}`,
    );
    await tamper(app, `update activity set actor_label = 'x' where id = ${first}`);
    const { problems } = await verify(app);
    expect(problems).toContain(`row ${first} was changed`);
    expect(problems).toHaveLength(2);
  });

  it('are all that the table lets a statement change', async () => {
    const [id] = await addRows(1);
    const erase = `erased = '\\x00', salt = null, subject_label = null, detail = null, changes = null`;
    for (const change of [
      `actor_label = 'x'`,
      `salt = null`,
      `${erase}, actor_label = 'x'`,
      `${erase}, mac = ''`,
    ]) {
      await expect(app.pool.query(`update activity set ${change} where id = ${id}`)).rejects.toThrow(
        'only grows',
      );
    }
    await app.pool.query(`update activity set ${erase} where id = ${id}`);
    await expect(app.pool.query(`update activity set ${erase} where id = ${id}`)).rejects.toThrow(
      'only grows',
    );
  });
});

describe('rows that are old', () => {
  it('are removed after ACTIVITY_KEEP_DAYS; a seal says how many went and when', async () => {
    const keeping = await startTestApp({ env: { ACTIVITY_KEEP_DAYS: '30' } });
    app = keeping;
    admin = await makeUser(app, 'admin');
    customerId = (await makeCustomer(admin.client)).id;
    const seal = async (count: number) => {
      const rows = await addRows(count);
      await sealActivity(app.deps);
      return rows;
    };
    const old = [...(await seal(3)), ...(await seal(2))];
    app.clock.advance(20 * dayMs);
    admin = await makeUser(app, 'admin');
    const [kept = 0] = await seal(2);
    await removeOldActivity(app.deps);
    expect(await verify(app)).toMatchObject({ removed: 0, problems: [] });
    app.clock.advance(11 * dayMs);
    await removeOldActivity(app.deps);
    const { rows } = await app.pool.query('select min(id)::int as oldest from activity');
    expect(rows).toEqual([{ oldest: expect.any(Number) }]);
    expect(rows[0].oldest).toBeGreaterThan(old.at(-1) ?? 0);
    expect(rows[0].oldest).toBeLessThanOrEqual(kept);
    const { removed, problems, newest } = await verify(app);
    expect(problems).toEqual([]);
    expect(removed).toBeGreaterThanOrEqual(old.length);
    expect(newest).toMatchObject({ kind: 'removal', row_count: removed, sealed_at: expect.any(Date) });
    await tamper(app, `delete from activity where id = ${kept}`);
    expect((await verify(app)).problems).toEqual([`row ${kept} was removed`]);
    await app.pool.query(`delete from activity_seals where kind = 'removal'`);
    expect((await verify(app)).problems[0]).toBe('seals 2 to 3 are gone');
  });
});

it('what the log keeps reads back as it was written, whatever it is', async () => {
  const ctx = systemContext(app.deps);
  const details = [
    { b: 1, a: { d: [1, { z: null, y: 'é' }], c: 1e25 }, aa: -0, 10: 'x', 9: 'y' },
    { text: 'line\nbreak, "quotes", \u2028 and 漢字', when: new Date(0), none: undefined },
    { small: 1e-7, big: 2 ** 53, list: [] },
  ];
  for (const detail of details) {
    const label = `${customerFields().name} – “x”`;
    await recordActivity(ctx, 'user.updated', { type: 'user', id: 1, label }, detail);
  }
  expect((await verify(app)).problems).toEqual([]);
});
