import { beforeAll, describe, expect, it } from 'vitest';
import { termsByRarity } from '../../src/db/trigrams.ts';
import { makeUser, type TestUser } from '../support/factories.ts';
import { jumble } from '../support/jumble.ts';
import { createTestDatabase, startTestApp, type TestApp } from '../support/test-app.ts';

/** Words that nearly all names have some of, and words that hardly any has. */
const common = ['Invoice', 'Übergabe', 'Scan', '2026', 'final'];
const rare =
  `66970 qxj66970 Straße STRASSE Æsop ﬁnal İpek 90° №7 100% 50%_off a_b_c back\\slash \\% JOSÉ Jose\u0301
  ΟΔΟΣ ΟΔΟΣΑ Οδος Йван 佐々木 ½ Ａｂｃ x€₹y Zoë-zoe`.split(/\s+/);

const next = jumble(5);
const pick = (list: string[]) => list[next(list.length)] ?? '';
const nameOf = (place: number) =>
  [pick(common), pick(next(4) === 0 ? rare : common), place % 5 === 0 ? place : pick(common)].join(
    pick([' ', '-', '_', '']),
  );

const together = ['Invoice 2026-66970', 'Scan of Æsop, final 100%'];
const makeNames = (count: number) => [
  ...together,
  ...Array.from({ length: count }, (_, place) => nameOf(place)),
];

let app: TestApp;
let staff: TestUser;

beforeAll(async () => {
  // So that it can hardly do otherwise than take the indexes.
  const options = encodeURIComponent('-c enable_seqscan=off');
  app = await startTestApp({ databaseUrl: `${await createTestDatabase()}?options=${options}` });
  staff = await makeUser(app, 'staff');
  await app.pool.query(
    `insert into customers (name, email, created_at, updated_at)
     select name, name || '@example.com', now(), now() from unnest($1::text[]) as name`,
    [makeNames(398)],
  );
  // Several at the same moment, which stand in the order of their ids.
  await app.pool.query(
    `insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
     select 1 + place * 7 % 400, name || '.pdf', place, 'application/pdf', 1, '', place,
       timestamptz '2026-01-01' + (place * 37 % 500) * interval '1 hour'
     from unnest($1::text[]) with ordinality as t (name, place)`,
    [makeNames(1_500)],
  );
  await app.pool.query('analyze customers, documents');
});

type Filters = Partial<Record<'filename' | 'customer_name' | 'customer_email', string>>;
const columnOf = {
  filename: 'filename_search',
  customer_name: 'name_search',
  customer_email: 'email_search',
};

/** The records, their order and their count as a plain comparison finds them. */
async function expectFound(filters: Filters, atLimits = [500, 3]): Promise<number> {
  const conditions = Object.keys(filters).map(
    (field, place) => `strpos(${columnOf[field as keyof Filters]}, search_text($${place + 1})) > 0`,
  );
  const { rows } = await app.pool.query(
    `select documents.id from documents join customers on customers.id = customer_id
     where ${conditions.join(' and ')} order by uploaded_at desc, documents.id desc`,
    Object.values(filters),
  );
  const all = rows.map((row: { id: number }) => row.id);
  for (const limit of atLimits) {
    const { status, body } = await staff.client.post('/api/documents/search', { ...filters, limit });
    expect(status, JSON.stringify(body)).toBe(200);
    const ids = body.documents.map((document: { id: number }) => document.id);
    expect({ ids, count: body.count }, JSON.stringify({ ...filters, limit })).toEqual({
      ids: all.slice(0, limit),
      count: all.length,
    });
  }
  return all.length;
}

describe('POST /api/documents/search by rare parts finds what a plain comparison finds, newest first:', () => {
  it.each([
    ['a rare word', ['qxj66970', '66970.pdf', 'QXJ', '697']],
    [
      'a rare word beside common ones',
      ['invoice 2026-66970', '26-66970', '66970 invoice', 'scan of aesop, final 100%'],
    ],
    ['common words only', ['Invoice', 'invoice 2026', 'ÜBERGABE', 'scan-final.pdf', 'final.PDF', 'pdf']],
    ['the parts in another order', ['pdf.invoice', 'ice invo', '970qxj', '2620', '6 202', 'scan.scan']],
    [
      'letters that become others',
      ['straße', 'STRASSE', 'aesop', 'Æ', 'ﬁnal', 'fi', 'İpek', 'ipek', 'jose', 'zoé'],
    ],
    ['signs', ['90°', '0°.pdf', '№7', 'no7', 'x€₹y', '€rsy', '½', '100%.pdf', '%', '50%_off', '50__off']],
    [
      'wildcards',
      ['a_b_c', 'aXbXc', 'inv%ice', 'inv_ice', '\\', 'back\\slash', 'back\\\\slash', '\\%', '_2026'],
    ],
    [
      'other letters',
      ['ΟΔΟΣ', 'οδος', 'οδοσ', 'Σ', 'ς', 'scan ΟΔΟΣ', 'йван', '佐々木', '々', 'Ａｂｃ', 'abc'],
    ],
  ])('%s', async (_, terms) => {
    let matches = 0;
    for (const term of terms) {
      matches += await expectFound({ filename: term });
      matches += await expectFound({ customer_name: term });
      matches += await expectFound({ customer_email: term }, [3]);
    }
    expect(matches).toBeGreaterThan(0);
  });

  it('several filters, each by its own parts', async () => {
    expect(await expectFound({ filename: 'invoice', customer_name: 'scan' })).toBeGreaterThan(0);
    expect(await expectFound({ filename: '2026', customer_email: 'final@example.com' })).toBeGreaterThan(0);
    for (const filename of rare) await expectFound({ filename, customer_name: 'invoice' });
  });

  it('of terms that are divided', async () => {
    const termOf = await termsByRarity(app.deps.db);
    expect(termOf('documents_filename', '66970_scan.pdf').parts.join()).not.toContain('scan');
    expect(termOf('customers_name', 'invoice 66970').parts.join()).not.toContain('voice');
  });
});
