import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { markPages } from '../../src/db/pages.ts';
import { makeCustomer, makeUser, type TestUser } from '../support/factories.ts';
import { jumble } from '../support/jumble.ts';
import { untilWaiting } from '../support/locks.ts';
import {
  addMarks,
  countMarks,
  expectRightMarks,
  insertCustomers,
  insertDocuments,
  insertNewest,
  newestFirst,
  secondsIn,
} from '../support/page-marks.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** Marks are so far from each other. */
const eachAfter = 4_000;

let app: TestApp;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  // An ANALYZE that PostgreSQL thinks of itself can hold its lock for longer than marks wait for theirs.
  for (const noun of ['customers', 'documents']) {
    await app.pool.query(`alter table ${noun} set (autovacuum_enabled = false)`);
  }
});

/** Does something in a transaction that stays open meanwhile. */
async function whileOpen(hold: (client: pg.PoolClient) => Promise<unknown>, work: () => Promise<void>) {
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await hold(client);
    await work();
    await client.query('commit');
  } finally {
    client.release();
  }
}

const markCounts = async () => {
  const { rows } = await app.pool.query('select noun, records from page_marks order by noun, made_at, id');
  return rows.map(({ noun, records }) => `${noun} ${records}`);
};

describe('markPages', () => {
  it('sets no mark where a page is near anyway', async () => {
    await insertNewest(app.pool, 'customers', eachAfter - 1);
    await markPages(app.deps.db, 'customers');
    expect(await markCounts()).toEqual([]);
  });

  it('does nothing and says nothing while somebody writes for longer, and makes up for it later', async () => {
    await whileOpen(
      (client) => insertCustomers(client, [secondsIn(1), secondsIn(2)]),
      async () => {
        await markPages(app.deps.db, 'customers');
        expect(await markCounts()).toEqual([]);
      },
    );
    await whileOpen(
      (client) => client.query('lock table customers in access exclusive mode'),
      () => markPages(app.deps.db, 'customers'),
    );
    expect(await markCounts()).toEqual([]);
    await markPages(app.deps.db, 'customers');
    expect(await markCounts()).toEqual([`customers ${eachAfter}`]);
  });

  it('adds marks for what is new, never the same again, and for its own noun only', async () => {
    await markPages(app.deps.db, 'customers');
    expect(await markCounts()).toEqual([`customers ${eachAfter}`]);
    await insertNewest(app.pool, 'customers', 2 * eachAfter);
    await markPages(app.deps.db, 'customers');
    expect(await markCounts()).toEqual(Array(3).fill(`customers ${eachAfter}`));
    await insertNewest(app.pool, 'documents', eachAfter + 1);
    await markPages(app.deps.db, 'documents');
    expect(await markCounts()).toEqual([
      ...Array(3).fill(`customers ${eachAfter}`),
      `documents ${eachAfter}`,
    ]);
    await expectRightMarks(app.pool, 'customers');
    await expectRightMarks(app.pool, 'documents');
  });

  it('can run twice at the same time, as a job and at the end of an import', async () => {
    await insertNewest(app.pool, 'customers', eachAfter);
    const marks = await countMarks(app.pool, 'customers');
    // Slow enough that neither can be done before the other begins.
    await app.pool.query(`
      create function take_time() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.15); return null; end $$;
      create trigger take_time before insert on page_marks for each statement execute function take_time()`);
    const both = Promise.allSettled([
      markPages(app.deps.db, 'customers'),
      markPages(app.deps.db, 'customers'),
    ]);
    expect(await both).toEqual(Array(2).fill({ status: 'fulfilled', value: undefined }));
    await app.pool.query('drop trigger take_time on page_marks; drop function take_time');
    expect(await countMarks(app.pool, 'customers')).toBe(marks + 1);
    await expectRightMarks(app.pool, 'customers');
  });

  it('lets a writer who came while marks were set count for the new marks', async () => {
    await insertNewest(app.pool, 'customers', 20);
    const oldest = (await newestFirst(app.pool, 'customers')).slice(-5);
    await app.pool.query('delete from documents where customer_id = any($1)', [oldest]);
    const client = await app.pool.connect();
    await client.query('begin');
    await client.query('lock table customers in share mode');
    await client.query(`select add_page_marks('customers', 'created_at', 3, 1000)`);
    const writers = [
      insertCustomers(app.pool, [secondsIn(0), secondsIn(100_001), secondsIn(300_000)]),
      app.pool.query('delete from customers where id = any($1)', [oldest]),
    ];
    await untilWaiting(app.pool, 2);
    await client.query('commit');
    client.release();
    await Promise.all(writers);
    await expectRightMarks(app.pool, 'customers');
  });
});

describe('while several write', () => {
  /** One here and one there, each of so many; not the customer whom the documents belong to. */
  async function deleteSpread(noun: 'customers' | 'documents', oneOf: number, next: (n: number) => number) {
    const kept =
      noun === 'customers' ? 'and not exists (select from documents where customer_id = doomed.id)' : '';
    await app.pool.query(`delete from ${noun} as doomed where id % $1 = $2 ${kept}`, [oneOf, next(oneOf)]);
  }

  it('every mark stays exactly right', async () => {
    const customer = await makeCustomer((await makeUser(app, 'admin')).client);
    await insertNewest(app.pool, 'documents', eachAfter);
    const write = async (writer: number) => {
      const next = jumble(writer);
      for (let round = 0; round < 25; round += 1) {
        const moment = next(3) === 0 ? secondsIn(200_000 + round) : secondsIn(next(60));
        const kind = next(5);
        if (kind === 0) await insertCustomers(app.pool, Array(400).fill(secondsIn(200_000 + round)));
        else if (kind === 1) await insertCustomers(app.pool, [moment]);
        else if (kind === 2) await insertDocuments(app.pool, customer.id, [moment, secondsIn(next(60))]);
        else await deleteSpread(kind === 3 ? 'customers' : 'documents', 6_007, next);
      }
    };
    let isWriting = true;
    const writing = Promise.all([1, 2, 3, 4].map(write)).finally(() => {
      isWriting = false;
    });
    const marking = async () => {
      let added = 0;
      while (isWriting) {
        for (const noun of ['customers', 'documents'] as const) {
          await markPages(app.deps.db, noun);
          // Those of the program are too far apart for a short test: some more between them.
          added += await addMarks(app.pool, noun, 40, 10);
        }
      }
      return added;
    };
    const [added] = await Promise.all([marking(), writing]);
    expect(added).toBeGreaterThan(0);
    for (const noun of ['customers', 'documents'] as const) {
      await expectRightMarks(app.pool, noun);
      const all = await newestFirst(app.pool, noun);
      const page = Math.floor(all.length / 50);
      const { body } = await staff.client.get(`/api/${noun}?page=${page}&limit=50`);
      expect(body.total).toBe(all.length);
      expect(body[noun].map((record: { id: number }) => record.id)).toEqual(
        all.slice((page - 1) * 50, page * 50),
      );
    }
  });

  it('whole groups of records at once, nobody has to give up for another', async () => {
    await app.pool.query('analyze page_marks, customers');
    const remove = async (writer: number) => {
      const next = jumble(100 + writer);
      for (let round = 0; round < 10; round += 1) {
        await deleteSpread('customers', 331, next);
        await insertCustomers(
          app.pool,
          Array.from({ length: 60 }, () => secondsIn(next(300_000))),
        );
      }
    };
    await Promise.all([1, 2, 3, 4].map(remove));
    await expectRightMarks(app.pool, 'customers');
  });
});
