import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase, createPool, type Database } from '../../src/db/client.ts';
import { wholeTerm } from '../../src/db/filters.ts';
import { type Text, termsByRarity } from '../../src/db/trigrams.ts';
import { createLog } from '../../src/log.ts';
import { type BreakableDatabase, createBreakableDatabase } from '../support/breakable-database.ts';
import { createTestDatabase } from '../support/test-app.ts';

const minute = 60_000;

let database: BreakableDatabase;
let pool: pg.Pool;
/** Has not asked for statistics yet. */
let db: Database;
/** Since the test began, in milliseconds. */
let passed: number;

const pools: pg.Pool[] = [];
function open(url: string): pg.Pool {
  const opened = createPool(url, 2, createLog('silent'));
  pools.push(opened);
  return opened;
}

beforeAll(async () => {
  database = await createBreakableDatabase();
  pool = open(database.url);
  await addCustomers(pool);
});
afterAll(async () => {
  for (const each of pools) await each.end();
});

beforeEach(() => {
  db = createDatabase(pool);
  const started = performance.now();
  passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => started + passed);
});
afterEach(() => vi.restoreAllMocks());

async function addCustomers(pool: pg.Pool): Promise<void> {
  await pool.query(`
    insert into customers (name, email, street_line, created_at, updated_at)
    select 'Invoice ' || case when place % 100 = 0 then 'qxj' else 'Anna' end, 'zkv' || place || '@example.com',
      'Straße ' || place, now(), now()
    from generate_series(1, 1000) as place`);
  await pool.query(`
    insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
    select id, case when id % 10 = 0 then 'wvx' else 'abc' end || ' scan.pdf', id, 'text/plain', 1, '', id, now()
    from customers`);
  await pool.query('analyze customers, documents');
}

const termNow = async (text: Text, whole: string, of = db) => (await termsByRarity(of))(text, whole);

/** As 'Invoice' is in all of the names. */
const byItsRarePart = { whole: 'Invoice qxj', parts: [expect.stringMatching(/^ ?qxj$/)], atMost: 10 };

describe('termsByRarity', () => {
  it('looks for the rare part of a term, and knows how many records may have it', async () => {
    expect(await termNow('customers_name', 'Invoice qxj')).toEqual(byItsRarePart);
    expect(await termNow('customers_name', 'Invoice')).toMatchObject({ atMost: 1000 });
    expect(await termNow('documents_filename', 'WVX scan.pdf')).toMatchObject({ atMost: 100 });
    expect(await termNow('customers_street_line', 'straße')).toMatchObject({ atMost: 1000 });
    const { parts } = await termNow('customers_email', '777@example.com');
    expect(parts.join()).not.toContain('example');
  });

  it('knows how many records have three letters, and of no other term', async () => {
    expect(await termNow('customers_name', 'QXJ')).toMatchObject({
      atMost: 10,
      expected: { matches: 10, asOf: expect.stringMatching(/^20\d\d-/) },
    });
    expect(await termNow('customers_name', 'inv')).toMatchObject({ expected: { matches: 1000 } });
    expect(await termNow('customers_name_further_on', 'inv')).toMatchObject({ expected: { matches: 10 } });
    for (const whole of ['qx', 'nqxj', 'qx j', 'ß12', 'x j'])
      expect(await termNow('customers_name', whole)).not.toHaveProperty('expected');
  });

  it('says that few records have what is not among the common ones', async () => {
    const { parts, atMost } = await termNow('customers_name', 'Invoice jjj');
    expect(parts.join()).toContain('jjj');
    expect(atMost).toBeLessThanOrEqual(10);
  });

  it('says nothing of a term that it cannot divide', async () => {
    for (const whole of ['q', 'Ελένη', 'ﬁna'])
      expect(await termNow('customers_name', whole)).toEqual({ whole, parts: [whole], atMost: 1000 });
  });

  it('looks for the whole term in a new installation, and for its parts ten minutes later', async () => {
    const newPool = open(await createTestDatabase());
    const fresh = createDatabase(newPool);
    const term = () => termNow('customers_name', 'Invoice qxj', fresh);
    expect(await term()).toEqual(wholeTerm('Invoice qxj'));
    await addCustomers(newPool);
    passed = 10 * minute - 1;
    expect(await term()).toEqual(wholeTerm('Invoice qxj'));
    passed = 10 * minute + 1;
    expect(await term()).toEqual(byItsRarePart);
  });

  it('follows the data every ten minutes', async () => {
    const changing = open(await createTestDatabase());
    await addCustomers(changing);
    const changingDb = createDatabase(changing);
    expect(await termNow('customers_name', 'qxj', changingDb)).toMatchObject({ atMost: 10 });
    await changing.query(`update customers set name = 'Invoice qxj'`);
    await changing.query('analyze customers');
    passed = 9 * minute;
    expect(await termNow('customers_name', 'qxj', changingDb)).toMatchObject({ atMost: 10 });
    passed = 11 * minute;
    expect(await termNow('customers_name', 'qxj', changingDb)).toMatchObject({ atMost: 1000 });
  });

  it('keeps the statistics of one database apart from those of another', async () => {
    expect(await termNow('customers_name', 'Invoice qxj')).toEqual(byItsRarePart);
    const another = createDatabase(open(await createTestDatabase()));
    expect(await termNow('customers_name', 'Invoice qxj', another)).toEqual(wholeTerm('Invoice qxj'));
  });

  it('reads once for all who ask at the same time', async () => {
    const connects = vi.spyOn(pool, 'connect');
    await Promise.all(Array.from({ length: 8 }, () => termsByRarity(db)));
    expect(connects).toHaveBeenCalledTimes(1);
  });

  it('reads again at once when a read failed, the first one and a later one', async () => {
    for (const minutes of [0, 11]) {
      passed = minutes * minute;
      await database.takeAway();
      await expect(termsByRarity(db)).rejects.toThrow();
      await expect(termsByRarity(db)).rejects.toThrow();
      await database.bringBack();
      expect(await termNow('customers_name', 'Invoice qxj')).toEqual(byItsRarePart);
    }
  });
});
