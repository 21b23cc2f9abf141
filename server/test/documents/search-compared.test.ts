import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

const words = [
  'Vertrag',
  'Übergabe',
  '合同',
  '佐',
  '00',
  '0',
  '50%',
  'a_b',
  "O'Brien",
  'scan',
  'ﬁnal',
  'É',
  'x',
  '\\',
  '7',
  'Invoice 2026',
  '2026-66970',
  'ΟΔΟΣ',
];
const people = [
  'Anna Maier',
  'José Ñandú',
  '佐藤',
  '鈴木 0',
  '100% GmbH',
  "O'Brien",
  'Zoë',
  'Łukasz',
  'Straße 7',
  'x',
];

let app: TestApp;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  await app.pool.query(
    `insert into customers (name, email, created_at, updated_at)
     select name, 'c' || n || '@example.com', now(), now() from unnest($1::text[]) with ordinality as t (name, n)`,
    [people],
  );
  const next = seededRandom(3);
  const filenames = Array.from(
    { length: 1_500 },
    () => `${words[next(words.length)]}${['', ' ', '-'][next(3)]}${words[next(words.length)]}.pdf`,
  );
  // Hours of a whole year, so that days start and end between them in summer and winter time.
  await app.pool.query(
    `insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
     select 1 + n * 7 % 10, name, n, 'application/pdf', 1, '', n,
       timestamptz '2024-01-01 00:00:00+01' + (n * 37 % 8784) * interval '1 hour'
     from unnest($1::text[]) with ordinality as t (name, n)`,
    [filenames],
  );
  await app.pool.query('analyze customers, documents');
});

type Filters = Partial<
  Record<'filename' | 'customer_name' | 'customer_email' | 'date_from' | 'date_to', string>
>;

const meaning: Record<keyof Filters, (value: string) => string> = {
  filename: (value) => `strpos(filename_search, search_text(${value})) > 0`,
  customer_name: (value) => `strpos(name_search, search_text(${value})) > 0`,
  customer_email: (value) => `strpos(email_search, search_text(${value})) > 0`,
  date_from: (value) => `(uploaded_at at time zone 'Europe/Berlin')::date >= ${value}::date`,
  date_to: (value) => `(uploaded_at at time zone 'Europe/Berlin')::date <= ${value}::date`,
};

const cap = 10_000;

/** Compares records, order and count with a naive SQL query. */
async function expectFound(filters: Filters, limits = [200, 1, 0]): Promise<number> {
  const given = Object.entries(filters).filter(([, value]) => value.trim() !== '');
  const conditions = given.map(([field], index) => meaning[field as keyof Filters](`$${index + 1}`));
  const { rows } = await app.pool.query(
    `select documents.id from documents join customers on customers.id = customer_id
     where ${['true', ...conditions].join(' and ')} order by uploaded_at desc, documents.id desc`,
    given.map(([, value]) => value.trim()),
  );
  const all = rows.map((row: { id: number }) => row.id);
  const isFiltered = given.length > 0;
  for (const limit of limits) {
    const { status, body } = await staff.client.post('/api/documents/search', { ...filters, limit });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(
      {
        ids: body.documents.map((document: { id: number }) => document.id),
        count: body.count,
        count_is_capped: body.count_is_capped,
      },
      JSON.stringify({ ...filters, limit }),
    ).toEqual({
      ids: all.slice(0, limit),
      count: isFiltered ? Math.min(all.length, cap) : all.length,
      count_is_capped: isFiltered && all.length > cap,
    });
  }
  const half = { ...filters, limit: 200, offset: Math.floor(all.length / 2) };
  if (half.offset > cap - 500) return all.length;
  const { body } = await staff.client.post('/api/documents/search', half);
  const ids = body.documents.map((document: { id: number }) => document.id);
  expect(ids, JSON.stringify(half)).toEqual(all.slice(half.offset, half.offset + half.limit));
  return all.length;
}

describe('POST /api/documents/search finds what a naive query finds, newest first', () => {
  it('by every filter and any combination', async () => {
    const anyDay = fc.integer({ min: 1, max: 366 }).map((day) => new Date(Date.UTC(2024, 0, day)));
    const days = fc
      .tuple(fc.option(anyDay), fc.option(anyDay))
      .map((both) => both.map((day) => day?.toISOString().slice(0, 10)))
      .filter(([from, to]) => !from || !to || from <= to);
    const term = (texts: string[]) =>
      fc
        .tuple(fc.constantFrom(...texts), fc.nat({ max: 3 }), fc.integer({ min: 1, max: 5 }))
        .map(([text, from, length]) => {
          const part = [...text].slice(from, from + length).join('');
          return part === '' ? text : part;
        });
    const filters = fc
      .record(
        {
          filename: term(words),
          customer_name: term(people),
          customer_email: fc.constantFrom('c1', '@', '0@', 'Q'),
        },
        { requiredKeys: [] },
      )
      .chain((texts) => days.map(([date_from, date_to]) => ({ ...texts, date_from, date_to })))
      .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
    let matches = 0;
    const property = fc.asyncProperty(filters, async (given) => {
      matches += await expectFound(given);
    });
    await fc.assert(property, { seed, numRuns: 30 });
    expect(matches).toBeGreaterThan(100);
  });

  it.each(['0', '0x', '佐', '合同', '%', '_', 'a_b', '\\', "'", 'ﬁ', 'FI', '66970.PDF', 'οδος', 'q'])(
    'by filename %s',
    async (filename) => {
      await expectFound({ filename });
      await expectFound({ customer_name: filename });
    },
  );
});

describe('POST /api/documents/search with very many matches', () => {
  /** More rows than any search scans one by one. */
  const newer = 41_000;

  /** All belong to a few customers. A thousand others have hardly any. */
  beforeAll(async () => {
    await app.pool.query('delete from documents');
    await app.pool.query('drop index documents_search');
    await app.pool.query(`
      insert into customers (name, created_at, updated_at)
      select 'Alpha ' || n, now(), now() from generate_series(1, 1000) as n`);
    await app.pool.query(`
      insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
      select 1 + n % 10, case when n <= 12000 then 'old ' else 'paper ' end || n, n::text, 'text/plain',
        1, ''::bytea, n::text, timestamptz '2020-01-01' + n * interval '1 minute'
      from generate_series(1, ${12_000 + newer}) as n
      union all
      select id, 'of few', 'of few', 'text/plain', 1, '', 'few ' || id, timestamptz '2020-06-01' + id * interval '1 day'
      from (select id from customers where name like 'Alpha%' limit 3) as few`);
    await app.pool.query('vacuum analyze customers, documents');
  }, 180_000);

  it('returns the newest of many', async () => {
    expect(await expectFound({ filename: 'paper' }, [500, 1, 0])).toBe(newer);
  });

  it('returns the newest where all are old', async () => {
    expect(await expectFound({ filename: 'old' }, [500, 1, 0])).toBe(12_000);
    expect(await expectFound({ filename: 'old 1' })).toBeLessThan(cap);
  });

  it('counts a range of days up to the cap, and everything without filters', async () => {
    expect(await expectFound({ date_from: '2020-01-10' }, [500, 1, 0])).toBeGreaterThan(cap);
    expect(await expectFound({ date_to: '2020-01-05' }, [500, 1, 0])).toBeLessThan(cap);
    expect(await expectFound({ date_from: '2021-01-01' })).toBe(0);
    expect(await expectFound({ date_to: '2020-01-01', filename: 'paper' })).toBe(0);
    expect(await expectFound({})).toBe(12_000 + newer + 3);
  });

  it('counts the documents of a few customers who have nearly all', async () => {
    expect(await expectFound({ customer_name: 'maier' })).toBeLessThan(cap);
    expect(await expectFound({ customer_email: '@' }, [500, 1, 0])).toBeGreaterThan(cap);
    expect(await expectFound({ customer_name: 'ma', filename: 'paper' })).toBeLessThan(cap);
  });

  it('counts the documents of many customers who have hardly any', async () => {
    expect(await expectFound({ customer_name: 'alpha' }, [500, 1, 0])).toBe(3);
  });
});
