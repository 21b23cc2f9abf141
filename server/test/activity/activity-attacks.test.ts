import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startMailTest } from '@customer-database/testkit/mail-test';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { warnAdmins } from '../../src/modules/accounts/alerts/alerts.ts';
import { acceptActivity } from '../../src/modules/activity/seals/accept.ts';
import { eraseActivityOf } from '../../src/modules/activity/seals/erase.ts';
import type { NotedSeal } from '../../src/modules/activity/seals/note.ts';
import { readSealText } from '../../src/modules/activity/seals/note.ts';
import { removeOldActivity } from '../../src/modules/activity/seals/retention.ts';
import { sealActivity } from '../../src/modules/activity/seals/seal.ts';
import { type Sealer, startSealing } from '../../src/modules/activity/seals/sealer.ts';
import { verifyActivity } from '../../src/modules/activity/seals/verify.ts';
import { openSealCopy } from '../../src/start/seal-copy.ts';
import { forge, tamper } from './tampering.ts';

const { signal } = new AbortController();
const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;

async function problemsIn(app: TestApp, noted: NotedSeal[] = []): Promise<string[]> {
  const problems: string[] = [];
  await verifyActivity(app.deps, { signal, noted, onProblem: (text) => problems.push(text) });
  return problems;
}

let app: TestApp;
let admin: TestUser;
let customerId: number;

async function addRow(city: string): Promise<number> {
  await admin.client.put(`/api/customers/${customerId}`, { city });
  const { rows } = await app.pool.query('select max(id)::int as id from activity where id < 1000000');
  return rows[0].id;
}

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await startTestApp({ env });
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
}

const seal = () => sealActivity(app.deps);

/** Three seals with a row each, after the first. */
async function sealThreeRows(): Promise<[number, number, number]> {
  await seal();
  const ids: number[] = [];
  for (const city of ['Aachen', 'Bonn', 'Celle']) {
    ids.push(await addRow(city));
    await seal();
  }
  return ids as [number, number, number];
}

beforeEach(() => start());

describe('A person with the password of the database', () => {
  it('cannot cut off the newest rows with their seals: the noted seal is missed for good', async () => {
    const [, , last] = await sealThreeRows();
    await tamper(app, `delete from activity where id >= ${last}; delete from activity_seals where id = 5`);
    await addRow('Dresden');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(seal()).rejects.toThrow('seal 5, which this machine has noted, is gone');
    }
    expect(await problemsIn(app)).toEqual([expect.stringMatching(/^seal 5 \(.* is gone: rows may be gone/)]);
  });

  it('cannot have the rows sealed anew without their seals and macs', async () => {
    await sealThreeRows();
    await tamper(app, `delete from activity_seals; update activity set mac = '', salt = ''`);
    await expect(seal()).rejects.toThrow('is gone');
    const { rows } = await app.pool.query('select count(*)::int as seals from activity_seals');
    expect(rows).toEqual([{ seals: 0 }]);
    expect(await problemsIn(app)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^row 1 .* was changed, or not written by this program$/),
        expect.stringMatching(/^seal 5 .* is gone/),
      ]),
    );
  });

  it('cannot have a changed opening accept forged rows', async () => {
    await sealThreeRows();
    await tamper(app, 'update activity_seals set through_id = 1000000 where id = 1');
    await forge(app, 900_000);
    await expect(seal()).rejects.toThrow('seal 1 is gone or was changed');
    expect(await problemsIn(app)).toEqual([
      expect.stringMatching(/^seal 1, .* was changed/),
      expect.stringMatching(/^row 900000 .* was changed, or not written by this program$/),
    ]);
  });

  it('cannot have rows removed by retention that are not old', async () => {
    await start({ ACTIVITY_KEEP_DAYS: '30' });
    const [first, second] = await sealThreeRows();
    await tamper(app, `update activity set at = at - interval '1 year' where id <= ${second}`);
    await tamper(app, `update activity_seals set sealed_at = sealed_at - interval '1 year'`);
    await expect(removeOldActivity(app.deps)).rejects.toThrow('was changed');
    await tamper(app, `update activity_seals set sealed_at = sealed_at + interval '1 year'`);
    await expect(removeOldActivity(app.deps)).rejects.toThrow(/row \d+ .* was changed/);
    expect(await problemsIn(app)).toContainEqual(expect.stringMatching(`^row ${first} .* was changed$`));
  });

  it('cannot have retention remove a row that was added between old ones', async () => {
    await start({ ACTIVITY_KEEP_DAYS: '30' });
    // An id that was given out and rolled back.
    await app.pool.query("select nextval('activity_id_seq')");
    const [first] = await sealThreeRows();
    await forge(app, first - 1);
    app.clock.advance(40 * dayMs);
    await expect(removeOldActivity(app.deps)).rejects.toThrow('was added later');
  });

  it('cannot give an erased row other values', async () => {
    const [first] = await sealThreeRows();
    await eraseActivityOf(systemContext(app.deps), customerId);
    expect(await problemsIn(app)).toEqual([]);
    await tamper(app, `update activity set subject_label = 'Invented' where id = ${first}`);
    expect(await problemsIn(app)).toEqual([
      expect.stringMatching(`^row ${first} .* was erased, and has values again$`),
    ]);
  });

  it('cannot hide rows or seals behind ids that are not read, or times that are none', async () => {
    await sealThreeRows();
    for (const id of ['-5', '0', '9007199254740993', '9223372036854775807']) await forge(app, id);
    await app.pool.query(`insert into activity_seals select -1, kind, sealed_at, through_id, row_count, entries,
      removed, hash from activity_seals where id = 2`);
    expect(await problemsIn(app)).toEqual([
      'with ids outside of 1 to 9007199254740991: 4 rows',
      'with ids outside of 1 to 9007199254740991: 1 seal',
    ]);
    const waiting = await addRow('Emden');
    await tamper(app, `update activity set at = 'infinity' where id = ${waiting}`);
    expect(await problemsIn(app)).toContainEqual(
      expect.stringContaining(`row ${waiting} (customer.updated, impossible)`),
    );
  });

  it('gets no forged row into a seal', async () => {
    await sealThreeRows();
    const { rows } = await app.pool.query(`select nextval('activity_id_seq')::int as id`);
    await forge(app, rows[0].id);
    await addRow('Fulda');
    expect((await seal()).forged).toEqual([expect.stringContaining(`row ${rows[0].id} (user.enabled`)]);
    expect(await problemsIn(app)).toEqual([expect.stringMatching(`^row ${rows[0].id} .* was added later`)]);
  });

  it('cannot drop rows by a trigger: what they tell of does not happen', async () => {
    await app.pool.query(`create function swallow() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger swallow before insert on activity for each row execute function swallow()`);
    const { status } = await admin.client.put(`/api/customers/${customerId}`, { city: 'Gera' });
    expect(status).toBe(500);
    await app.pool.query('drop trigger swallow on activity');
    expect((await admin.client.get(`/api/customers/${customerId}`)).body.customer.city).toBe('Berlin');
  });
});

it('An operator can take the log as it is, and it proves itself from then on', async () => {
  const [first, second] = await sealThreeRows();
  await app.pool.query('delete from activity_seals where id = 5');
  expect(await acceptActivity(systemContext(app.deps))).toEqual({ isNewChain: false });
  expect(await problemsIn(app)).toEqual([]);
  await tamper(app, `update activity set subject_label = 'x' where id = ${second}`);
  expect(await acceptActivity(systemContext(app.deps))).toEqual({ isNewChain: true });
  expect(await problemsIn(app)).toEqual([]);
  await tamper(app, `update activity set subject_label = 'x' where id = ${first}`);
  expect(await problemsIn(app)).toEqual([expect.stringMatching(`^row ${first} .* was changed$`)]);
});

describe('Sealing that has stalled', () => {
  let sealer: Sealer;
  const alarms: string[] = [];

  beforeEach(async () => {
    alarms.length = 0;
    const alarm = async (text: string) => void alarms.push(text);
    sealer = startSealing(app.deps, { copySeals: undefined, alarm });
    await sealer.tick();
    return () => sealer.stop();
  });

  const lastSealed = async () => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    return Number(/^customer_database_activity_last_sealed_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };

  it('raises an alarm after five minutes, shows in the metrics, and leaves a row', async () => {
    const client = await app.pool.connect();
    await client.query('begin; lock table activity in row exclusive mode');
    const held = sealer.tick();
    const before = await lastSealed();
    await addRow('Halle');
    app.clock.advance(6 * minuteMs);
    const late = sealer.tick();
    await expect
      .poll(() => alarms)
      .toEqual([expect.stringMatching(/^The activity log has not been sealed since/)]);
    expect(await lastSealed()).toBe(before);
    expect(await problemsIn(app)).toContainEqual(
      expect.stringMatching(/^not sealed, though older than five minutes: \d rows?/),
    );
    await client.query('rollback');
    client.release();
    await Promise.all([held, late]);
    expect(await lastSealed()).toBeGreaterThan(before + 300);
    const { activity } = (await admin.client.get('/api/activity?action=activity.sealing_resumed')).body;
    expect(activity).toMatchObject([{ detail: { since: expect.any(String) } }]);
    await sealer.tick();
    expect(await problemsIn(app)).toEqual([]);
  });

  it('because the chain is broken raises one at once', async () => {
    await app.pool.query('delete from activity_seals');
    await sealer.tick();
    expect(alarms).toEqual([
      expect.stringMatching(/^The activity log was tampered with: seal \d, .* is gone$/),
    ]);
  });
});

it('An alarm is mailed to the administrators', async () => {
  const mail = await startMailTest();
  await warnAdmins(mail.app.deps, 'seal 7 is gone');
  const { email } = await mail.onlyMailTo(mail.admin.email);
  expect(email.subject).toBe('The activity log of the customer database needs attention');
  expect(email.text).toContain('Problem: seal 7 is gone\n');
});

describe('SEAL_COPY_TO', () => {
  it('keeps every seal in a file, which shows a log that was written anew with the key', async () => {
    const folder = app.deps.config.dataDir;
    const file = join(folder, 'seals.txt');
    await start({ SEAL_COPY_TO: file });
    const copySeals = await openSealCopy(app.deps);
    const sealer = startSealing(app.deps, { copySeals, alarm: async (text) => expect.fail(text) });
    await sealer.tick();
    await addRow('Jena');
    await sealer.tick();
    await sealer.stop();
    const copied = (await readFile(file, 'utf8')).trim().split('\n').map(readSealText);
    expect(copied.map((noted) => noted?.seal)).toEqual([1, 2, 3]);
    const noted = copied.filter((each) => each !== undefined);
    expect(await problemsIn(app, noted)).toEqual([]);
    // A person with the key, the database and the data folder.
    await tamper(app, 'delete from activity where id = 2');
    await acceptActivity(systemContext(app.deps));
    expect(await problemsIn(app)).toEqual([]);
    expect(await problemsIn(app, noted)).toContainEqual(
      expect.stringMatching(/^seal 2 .* is another one now/),
    );
  });

  it('mails the newest seal', async () => {
    const mail = await startMailTest({ SEAL_COPY_TO: 'mailto:audit@company.example' });
    const copySeals = await openSealCopy(mail.app.deps);
    await copySeals?.([
      { id: 1, hash: Buffer.alloc(32, 1) },
      { id: 2, hash: Buffer.alloc(32, 2) },
    ]);
    const { email } = await mail.onlyMailTo('audit@company.example');
    expect(email.text).toContain(`\n2:${'02'.repeat(32)}\n`);
  });
});
