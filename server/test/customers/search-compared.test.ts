import type { Client } from '@customer-database/testkit/client';
import { makeUser } from '@customer-database/testkit/factories';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import {
  createTestDatabase,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '@customer-database/testkit/test-app';
import fc from 'fast-check';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIcuDatabase } from './icu-database.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

/** Words that nearly all names contain, and rare ones. */
const words = [
  'Invoice Müller 2026 Anna-Maria Invoice Müller 2026 Anna-Maria qxj66970 66970 50%_off x€₹y ©opy ΟΔΟΣ ΟΔΟΣΑ Οδος',
  'Anna anton BANANE Zoë Łukasz José Jose\u0301 Straße STRASSE Æsop Œuvre İpek ısı a b ab a-b a.b',
  '佐藤 佐々木 鈴木 藤佐 Иван Йван Ελένη محمد שלום กขค 한글 👩‍👧 ﬃne ﬁ x² №5 ½ Ａｂｃ ǅur ㎏',
  `0 00 000 A0 a00b 0a0 10 2024 7 100% % 50_50 _ __ back\\slash \\ \\% O'Brien '' "x"`,
].flatMap((line) => line.split(' '));
const between = [' ', ' ', '-', '', '  ', ' von ', ', '];
const cities = ['Berlin', 'São Paulo', '東京', 'Frankfurt (Oder)', "L'Aquila", null];

const pick = <T>(list: readonly T[], next: (below: number) => number) => list[next(list.length)] as T;

function makeNames(): string[] {
  const next = seededRandom(7);
  return Array.from({ length: 2_000 }, () =>
    [pick(words, next), pick(between, next), pick(words, next), next(3) === 0 ? next(100) : ''].join(''),
  );
}

const names = [
  'Invoice 2026-66970',
  'ΟΔΟΣ.Invoice',
  "ΟΔΟΣ'Invoice",
  'Müller, Æsop von der Straße 100%',
  ...makeNames(),
];
let app: TestApp;
/** The same data, with sequential scans off to force the search indexes. */
let indexed: TestApp;
let servers: { pool: pg.Pool; client: Client }[];

async function startWithCustomers(options: TestAppOptions = {}): Promise<TestApp> {
  const server = await startTestApp(options);
  await server.pool.query(
    `insert into customers (name, city, phone_number, email, created_at, updated_at)
     select name, ($2::text[])[1 + place % 6], '+49 (0)' || place % 97 || '-' || place % 10 || ' ext. ' || place % 3,
       'User.' || place % 50 || '@Example.com', now(), now()
     from unnest($1::text[]) with ordinality as t (name, place)`,
    [names, cities],
  );
  await server.pool.query('analyze customers');
  return server;
}

beforeAll(async () => {
  app = await startWithCustomers();
  const options = encodeURIComponent('-c enable_seqscan=off');
  indexed = await startWithCustomers({ databaseUrl: `${await createTestDatabase()}?options=${options}` });
  await indexed.pool.query('drop index customers_by_name, customers_newest');
  // Its collation does not sort by code point.
  const sorted = await startWithCustomers({ databaseUrl: await createIcuDatabase() });
  servers = await Promise.all(
    [app, indexed, sorted].map(async (server) => ({
      pool: server.pool,
      client: (await makeUser(server, 'staff')).client,
    })),
  );
});

type Filters = Partial<Record<'name' | 'city' | 'phone_number' | 'email', string>>;
const columnOf = {
  name: 'name_search',
  city: 'city_search',
  phone_number: 'phone_search',
  email: 'email_search',
};

/** The reference: a search without any index or pattern. */
async function naiveSearch(pool: pg.Pool, filters: Filters): Promise<number[]> {
  const given = Object.entries(filters)
    .map(([field, term]) => [field, term.trim()] as const)
    .filter(([, term]) => term !== '');
  const conditions = given.map(
    ([field], place) => `strpos(${columnOf[field as keyof Filters]}, search_text($${place + 1})) > 0`,
  );
  const terms = given.map(([field, term]) =>
    field === 'phone_number' ? term.replace(/\D/g, '') || term : term,
  );
  const { rows } = await pool.query(
    `select id from customers where ${['true', ...conditions].join(' and ')}
     order by starts_with(name_search, search_text($${terms.length + 1})) desc, name_search collate "C", id`,
    [...terms, filters.name?.trim() ?? ''],
  );
  return rows.map((row: { id: number }) => row.id);
}

async function found(client: Client, filters: Filters, limit: number) {
  const { status, body } = await client.post('/api/customers/search', { ...filters, limit });
  expect(status, JSON.stringify(body)).toBe(200);
  const ids: number[] = body.customers.map((customer: { id: number }) => customer.id);
  return { ids, count: body.count, count_is_capped: body.count_is_capped };
}

/** Resolves to the number of matches. */
async function expectFound(filters: Filters, limits = [60]): Promise<number> {
  let count = 0;
  for (const { pool, client } of servers) {
    const all = await naiveSearch(pool, filters);
    for (const limit of limits) {
      const expected = { ids: all.slice(0, limit), count: all.length, count_is_capped: false };
      expect(await found(client, filters, limit), JSON.stringify({ ...filters, limit })).toEqual(expected);
    }
    count = all.length;
  }
  return count;
}

describe('POST /api/customers/search by name finds what a naive query finds, in order:', () => {
  it.each([
    ['one letter', `a B ß é İ ı 佐 й И ם ก 한 ﬃ ½ ² Ａ ' " - .`],
    ['two letters', `an AN ZO oë ou ss 佐藤 藤佐 々木 ив Ελ 한글 ﬁ a- o' ''`],
    ['more letters', 'ann ANNA straße STRASSE strass ffi ﬃne 佐々木 łukasz lukasz œuvre'],
    ['digits', '0 00 000 0000 a0 0a A0 00b 10 1 2024 0a0 x2 5'],
    ['wildcards', '% _ __ %% \\ \\\\ \\% %a a% _5 0_5 100% k\\s \\_ 50%_off 50__off inv%ice inv_ice 2026_'],
    ['a rare word', 'qxj66970 66970 QXJ 697 j66 2026-66970'],
    ['parts of words in another order', 'maria-anna 970qxj 2620'],
    ['signs that become letters', '№5 no5 x€₹y €rsy ©opy (c)op ㎏ ½'],
    ['the end of a Greek word', "ΟΔΟΣ οδος οδοσ ΟΔΟΣΑ οδοσα Σ ς ΟΔΟΣ.Invoice ΟΔΟΣ'Invoice"],
    ['nothing but an accent', '\u0301'],
  ])('%s', async (_, terms) => {
    let matches = 0;
    for (const name of terms.split(' ')) matches += await expectFound({ name }, [60, 1]);
    expect(matches).toBeGreaterThan(0);
  });

  it('blanks', async () => {
    for (const name of [
      'invoice 2026',
      '66970 invoice',
      'aesop von der strasse',
      'a b',
      ' a ',
      'a  b',
      'n v',
      ' von ',
      'a von',
      '0 0',
      '0 ',
      'e 佐',
      ', ',
    ])
      await expectFound({ name }, [60, 1]);
  });

  it('no match', async () => {
    for (const name of ['qq', 'qqq', '猫', '犬猫', '佐藤佐藤佐藤', '0000000', '~'])
      expect(await expectFound({ name }), name).toBe(0);
  });

  it('any part of any name, in any case', async () => {
    const part = fc
      .record({
        name: fc.constantFrom(...names),
        from: fc.nat({ max: 12 }),
        length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 60 })),
        change: fc.constantFrom('toUpperCase', 'toLowerCase', 'normalize', 'trim'),
      })
      .map(({ name, from, length, change }) => {
        const characters = [...name];
        const start = Math.min(from, characters.length - 1);
        return characters
          .slice(start, start + length)
          .join('')
          [change as 'trim']();
      });
    const property = fc.asyncProperty(part, fc.constantFrom(0, 1, 20, 200), async (name, limit) => {
      await expectFound({ name }, [limit]);
    });
    await fc.assert(property, { seed, numRuns: 80 });
  });

  it('any characters', async () => {
    const character = fc.oneof(
      fc.constantFrom(..."aA0%_\\' ß佐é-"),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const property = fc.asyncProperty(fc.array(character, { maxLength: 4 }), async (characters) => {
      const name = characters.join('');
      fc.pre(name.isWellFormed() && !name.includes('\0'));
      await expectFound({ name });
    });
    await fc.assert(property, { seed, numRuns: 40 });
  });
});

it('finds by other fields, and by several, what a naive query finds', async () => {
  const filters: Filters[] = [
    { city: 'sao' },
    { city: '東京' },
    { city: '京' },
    { city: '(O' },
    { city: "l'a" },
    { phone_number: '+49 (0)9' },
    { phone_number: '490' },
    { phone_number: 'ext' },
    { phone_number: '%' },
    { email: 'USER.7@' },
    { email: '.1' },
    { name: 'a', city: 'berlin' },
    { name: '佐', phone_number: '5-', email: '@' },
    { name: '0', city: 'o', phone_number: '1', email: '2' },
    { name: 'anna', city: 'nowhere' },
    { name: ' ', city: 'o' },
  ];
  let matches = 0;
  for (const each of filters) matches += await expectFound(each, [60, 0]);
  expect(matches).toBeGreaterThan(500);
});

it('without filters counts all exactly and returns the first by name', async () => {
  expect(await expectFound({}, [500, 1, 0])).toBe(names.length);
  expect(await expectFound({ name: '  ', city: '' }, [500])).toBe(names.length);
});

it('prepares texts as the plain definition does, without its shortcuts', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'0123456789 +()-./ext#abÄ\u0301ﬁ佐٣٤'), maxLength: 12 }),
    fc
      .string({ unit: 'binary', maxLength: 8 })
      .filter((value) => value.isWellFormed() && !value.includes('\0')),
  );
  const texts = fc.sample(text, { seed, numRuns: 3_000 });
  const { rows } = await app.pool.query(
    `select value
     from unnest($1::text[] || array[null]) as value,
       lower(unaccent('unaccent'::regdictionary, normalize(value, NFKC))) as plain,
       regexp_replace(value, '[^0-9]', '', 'g') as digits
     where search_text(value) is distinct from plain
       or phone_text(value) is distinct from
         case when value ~ '^[0-9 +()./-]*$' then digits else digits || ' ' || plain end`,
    [[...texts, ...names]],
  );
  expect(rows).toEqual([]);
});

it('these tests did use the indexes', async () => {
  const { pool } = indexed;
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  // A connection may hold back its statistics for ten seconds.
  for (const connection of connections) await connection.query('select pg_stat_force_next_flush()');
  for (const connection of connections) connection.release();
  const { rows } = await pool.query(
    `select indexrelname as name from pg_stat_user_indexes
     where relname = 'customers' and indexrelname ~ 'search_(name|city|phone|email)' and idx_scan = 0`,
  );
  expect(rows).toEqual([]);
});
