import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Noun } from '../../src/db/counts.ts';
import { makeCustomer, makeUser, type TestUser } from '../support/factories.ts';
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

// The same in every run; another seed (printed with a failure) tries others.
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

/** Up to so many records before a page it is read from the newest one on, without any marks. */
const nearby = 4_000;

let app: TestApp;
let staff: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  customerId = (await makeCustomer((await makeUser(app, 'admin')).client)).id;
});

type Page = { page: number; limit: number };

async function readPage(noun: Noun, { page, limit }: Page) {
  const { status, body } = await staff.client.get(`/api/${noun}?page=${page}&limit=${limit}`);
  expect(status).toBe(200);
  const ids: number[] = body[noun].map((record: { id: number }) => record.id);
  expect(body.count).toBe(ids.length);
  return { ids, total: body.total, totalPages: body.totalPages };
}

async function expectPage(noun: Noun, all: number[], { page, limit }: Page): Promise<void> {
  expect(await readPage(noun, { page, limit }), `page ${page} of ${limit}`).toEqual({
    ids: all.slice((page - 1) * limit, page * limit),
    total: all.length,
    totalPages: Math.ceil(all.length / limit),
  });
}

const anyLimit = fc.oneof(fc.constantFrom(1, 2, 7, 50, 199, 200), fc.integer({ min: 1, max: 200 }));
/** Where the page shall be: at that part of the list, or a little beyond its end. */
const anyPlace = fc.record({ part: fc.double({ min: 0, max: 1.02, noNaN: true }), limit: anyLimit });
const pageAt = ({ part, limit }: { part: number; limit: number }, records: number): Page => ({
  page: Math.floor((part * records) / limit) + 1,
  limit,
});

const few = { minLength: 1, maxLength: 12 };
/** Few moments for many records, so that several share one. */
const oldMoment = fc.integer({ min: 0, max: 60 });

type Step = { step: string; run: (noun: Noun) => Promise<unknown> };

const insert = (noun: Noun, seconds: number[]) =>
  noun === 'customers'
    ? insertCustomers(app.pool, seconds.map(secondsIn))
    : insertDocuments(app.pool, customerId, seconds.map(secondsIn));

async function deletePlaces(noun: Noun, places: number[]): Promise<void> {
  const all = await newestFirst(app.pool, noun);
  const ids = places.map((place) => all[place % all.length]).filter((id) => id !== customerId);
  await app.pool.query(`delete from ${noun} where id = any($1)`, [ids]);
}

/** Takes away the records that marks stand at. */
async function deleteMarked(noun: Noun, marks: number): Promise<void> {
  await app.pool.query(
    `delete from ${noun} where id <> $3 and id in
       (select id from page_marks where noun = $1 order by md5(id::text) limit $2)`,
    [noun, marks, noun === 'customers' ? customerId : 0],
  );
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(oldMoment, few).map((seconds) => ({
    step: `insert at ${seconds}`,
    run: (noun: Noun) => insert(noun, seconds),
  })),
  fc.array(fc.integer({ min: 100_000, max: 200_000 }), few).map((seconds) => ({
    step: `insert anew at ${seconds}`,
    run: (noun: Noun) => insert(noun, seconds),
  })),
  fc.array(fc.nat({ max: 5_000 }), few).map((places) => ({
    step: `delete the places ${places}`,
    run: (noun: Noun) => deletePlaces(noun, places),
  })),
  fc.integer({ min: 1, max: 10 }).map((marks) => ({
    step: `delete ${marks} records at marks`,
    run: (noun: Noun) => deleteMarked(noun, marks),
  })),
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 60 })).map(([each, most]) => ({
    step: `at most ${most} marks more, each after ${each}`,
    run: (noun: Noun) => addMarks(app.pool, noun, each, most),
  })),
);

describe.each<Noun>(['customers', 'documents'])('GET /api/%s', (noun) => {
  const moments = (seconds: number) =>
    Array.from({ length: 300 }, (_, place) => (place * place * 7) % seconds);

  it('answers any near page exactly, with marks or without', async () => {
    await insert(noun, moments(61));
    for (const marked of [false, true]) {
      if (marked) expect(await addMarks(app.pool, noun, 7, 1000)).toBeGreaterThan(40);
      const all = await newestFirst(app.pool, noun);
      const property = fc.asyncProperty(anyPlace, (place) =>
        expectPage(noun, all, pageAt(place, all.length)),
      );
      await fc.assert(property, { seed, numRuns: 25 });
    }
  });

  it('answers a far page exactly before there is any mark', async () => {
    await app.pool.query('delete from page_marks where noun = $1', [noun]);
    await insertNewest(app.pool, noun, nearby + 1);
    const all = await newestFirst(app.pool, noun);
    for (const limit of [1, 7, 200]) {
      const firstFar = Math.floor(nearby / limit) + 2;
      const last = Math.ceil(all.length / limit);
      for (const page of [firstFar - 1, firstFar, last, last + 1])
        await expectPage(noun, all, { page, limit });
    }
  });

  it('answers every far page exactly, whatever comes and goes between the marks', async () => {
    expect(await addMarks(app.pool, noun, 7, 30)).toBe(30);
    const farPlace = fc.record({ part: fc.double({ min: 0.91, max: 1.02, noNaN: true }), limit: anyLimit });
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 4 }),
      fc.array(farPlace, { minLength: 2, maxLength: 4 }),
      async (steps, places) => {
        for (const { run } of steps) {
          await run(noun);
          await expectRightMarks(app.pool, noun);
        }
        const all = await newestFirst(app.pool, noun);
        for (const place of places) await expectPage(noun, all, pageAt(place, all.length));
      },
    );
    await fc.assert(property, { seed, numRuns: 20 });
    const all = await newestFirst(app.pool, noun);
    expect(all.length).toBeGreaterThan(nearby);
    expect(await countMarks(app.pool, noun)).toBeGreaterThan(30);
    const last = Math.ceil(all.length / 37);
    for (let page = Math.floor(nearby / 37); page <= last; page += 1)
      await expectPage(noun, all, { page, limit: 37 });
  });

  it('answers far pages exactly when all that one mark counts is gone, and when all before it is', async () => {
    const all = await newestFirst(app.pool, noun);
    const isKept = (id: number) => noun === 'customers' && id === customerId;
    const doomed = [...all.slice(-120, -60), ...all.slice(0, 40)].filter((id) => !isKept(id));
    await app.pool.query(`delete from ${noun} where id = any($1)`, [doomed]);
    await expectRightMarks(app.pool, noun);
    const { rows } = await app.pool.query(
      'select count(*) as marks from page_marks where noun = $1 and records = 0',
      [noun],
    );
    expect(rows[0].marks).toBeGreaterThan(0);
    const left = await newestFirst(app.pool, noun);
    for (let before = nearby - 20; before < left.length + 5; before += 11)
      await expectPage(noun, left, { page: Math.floor(before / 11) + 1, limit: 11 });
  });

  it('answers pages beyond the end with nothing but the totals', async () => {
    const all = await newestFirst(app.pool, noun);
    for (const page of [all.length + 1, 1_000_000, 999_999_999]) {
      for (const limit of [1, 200]) await expectPage(noun, all, { page, limit });
    }
  });

  it('counts nothing twice when a change of records is taken back', async () => {
    const client = await app.pool.connect();
    const before = await newestFirst(app.pool, noun);
    await client.query('begin');
    await client.query(`delete from ${noun} where id = any($1)`, [before.slice(-30, -2)]);
    if (noun === 'customers') await insertCustomers(client, [secondsIn(3), secondsIn(5)]);
    await client.query('rollback');
    client.release();
    await expectRightMarks(app.pool, noun);
    await expectPage(noun, before, { page: Math.floor(nearby / 50) + 2, limit: 50 });
  });
});
