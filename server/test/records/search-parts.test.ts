import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { termsByRarity } from '../../src/db/trigrams.ts';
import type { Client } from '../support/client.ts';
import { makeUser } from '../support/factories.ts';
import { createIcuDatabase } from '../support/icu-database.ts';
import { jumble } from '../support/jumble.ts';
import { createTestDatabase, startTestApp, type TestApp } from '../support/test-app.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

/** Words that nearly all names have some of, and words that hardly any has. */
const common = ['Invoice', 'Müller', 'von der', 'Anna-Maria', '2026'];
const rare = [
  `Łukasz Straße STRASSE Æsop Œuvre ﬁnal İpek ısı 90° № №7 100% 50%_off a_b_c back\\slash \\% O'Brien JOSÉ`,
  'ΟΔΟΣ ΟΔΟΣΑ Οδος ὈΔΥΣΣΕΎΣ Йван 佐々木 محمد ½ ㎏ Ａｂｃ qxj66970 66970 x€₹y ©opy Zoë-zoe ǅur 𝒳yz 👩‍👧 Jose\u0301',
].flatMap((line) => line.split(' '));

function makeNames(): string[] {
  const next = jumble(11);
  const pick = (list: string[]) => list[next(list.length)] ?? '';
  return Array.from({ length: 1_500 }, (_, place) => {
    const words = [
      pick(common),
      pick(next(3) === 0 ? rare : common),
      place % 7 === 0 ? `${place}` : pick(common),
    ];
    return [...words.splice(next(3)), ...words].join(pick([' ', ' ', '-', '_', '', ', ']));
  });
}

const together = ['Invoice 2026-66970', 'Müller, Æsop von der Straße 100%', 'Łukasz Anna-Maria qxj'];
const names = [...together, ...makeNames()];
const servers: { app: TestApp; client: Client }[] = [];

async function start(databaseUrl: string): Promise<void> {
  const app = await startTestApp({ databaseUrl });
  await app.pool.query(
    `insert into customers (name, email, street_line, created_at, updated_at)
     select name, place || name || '@example.com', name || ' Straße ' || place % 90, now(), now()
     from unnest($1::text[]) with ordinality as t (name, place)`,
    [names],
  );
  // Makes the statistics, without which every term is looked for as a whole.
  await app.pool.query('analyze customers');
  servers.push({ app, client: (await makeUser(app, 'staff')).client });
}

/** One that can hardly do otherwise than take the indexes, and one whose own order is not that of characters. */
beforeAll(async () => {
  await start(`${await createTestDatabase()}?options=${encodeURIComponent('-c enable_seqscan=off')}`);
  await start(await createIcuDatabase());
});

const fields = ['name', 'email', 'street_line'] as const;
type Field = (typeof fields)[number];

/** What a search means, said so that no index, no pattern and no order of the database has a part in it. */
async function plainly({ pool }: TestApp, field: Field, term: string): Promise<number[]> {
  const { rows } = await pool.query<{ id: number; bytes: Buffer }>(
    `select id, convert_to(name_search, 'UTF8') as bytes from customers
     where strpos(${field}_search, search_text($1)) > 0`,
    [term],
  );
  return rows
    .toSorted((one, other) => Buffer.compare(one.bytes, other.bytes) || one.id - other.id)
    .map(({ id }) => id);
}

async function expectFound(field: Field, term: string, atLimits = [500, 3]): Promise<number> {
  let matches = 0;
  for (const { app, client } of servers) {
    const all = await plainly(app, field, term);
    matches += all.length;
    for (const limit of atLimits) {
      const { status, body } = await client.post('/api/customers/search', { [field]: term, limit });
      expect(status, JSON.stringify(body)).toBe(200);
      const ids = body.customers.map((customer: { id: number }) => customer.id);
      expect({ ids, count: body.count }, JSON.stringify({ [field]: term, limit })).toEqual({
        ids: all.slice(0, limit),
        count: all.length,
      });
    }
  }
  return matches;
}

/** Without this, nothing here would be looked for by its parts, and all of it found. */
async function countDivided(terms: string[]): Promise<number> {
  const counts = servers.map(async ({ app }) => {
    const termOf = await termsByRarity(app.deps.db);
    return terms.filter((term) => termOf('customers_name', term).parts.join() !== term).length;
  });
  return Math.min(...(await Promise.all(counts)));
}

describe('POST /api/customers/search by rare parts finds what a plain comparison finds, in order of characters:', () => {
  it.each([
    ['a rare word', ['qxj66970', '66970', 'QXJ', '697', 'j66']],
    [
      'a rare word beside common ones',
      ['invoice 2026-66970', '66970 invoice', '26-66970', 'anna-maria qxj', '7 mü'],
    ],
    [
      'several rare parts',
      [
        'aesop von der strasse',
        'Æsop von der Straße 100%',
        'łukasz anna-maria qxj',
        'zoë-zoe müller',
        'ZOE-ZOË',
      ],
    ],
    ['common words only', ['Invoice', 'invoice muller', 'MÜLLER', 'von der', 'anna-maria 2026', 'r von']],
    ['the parts in another order', ['maria-anna', 'ice invo', '970qxj', 'der von', '2620', '6 202']],
    ['accents', ['JOSÉ', 'jose', 'Jose\u0301', 'jose\u0301 invoice', 'zoé', 'OEUVRE', 'œuvre']],
    [
      'letters that become two',
      ['straße', 'STRASSE', 'rasse', 'aße', 'Æ', 'aesop', 'ﬁ', 'ﬁnal', 'FINAL', 'fi'],
    ],
    [
      'signs that become letters',
      ['№', 'no7', '№7 invoice', '90°', '0°', 'x€₹y', '€rsy', '©opy', '(c)op', '㎏', '½'],
    ],
    ['a Turkish dot', ['İpek', 'ipek', 'IPEK', 'ısı', 'isi', 'ISI']],
    [
      'wildcards',
      ['%', '100%', '50%_off', '50__off', '%_o', 'a_b_c', 'aXbXc', 'inv%ice', 'inv_ice', '2026_'],
    ],
    ['backslashes', ['\\', 'back\\slash', 'back\\\\slash', 'k\\s', '\\%', 'invoice \\%', 'slash\\']],
    [
      'the end of a Greek word',
      ['ΟΔΟΣ', 'οδος', 'οδοσ', 'ΟΔΟΣΑ', 'οδοσα', 'Σ', 'ς', 'invoice ΟΔΟΣ', 'ὀδυσσεύς'],
    ],
    [
      'other letters',
      [
        'йван',
        'Иван',
        '佐々木',
        '々',
        'محمد',
        '佐々木 invoice',
        'abc',
        'Ａｂｃ',
        '👩‍👧',
        '𝒳yz',
        'XYZ',
        'ǆur',
      ],
    ],
  ])('%s', async (_, terms) => {
    let matches = 0;
    for (const term of terms) {
      matches += await expectFound('name', term);
      matches += await expectFound('email', term, [5]);
      if ([...term].length > 1) matches += await expectFound('street_line', term, [5]);
    }
    expect(matches).toBeGreaterThan(0);
  });

  it('any stretch of any name, in any case', async () => {
    const terms = new Set<string>();
    const stretch = fc
      .record({
        name: fc.constantFrom(...names),
        from: fc.nat({ max: 12 }),
        length: fc.integer({ min: 2, max: 24 }),
        change: fc.constantFrom('toUpperCase', 'toLowerCase', 'normalize', 'trim'),
      })
      .map(({ name, from, length, change }) => {
        const term = [...name].slice(from, from + length).join('');
        return term[change as 'trim']().trim();
      })
      .filter((term) => [...term].length > 1);
    const property = fc.asyncProperty(stretch, fc.constantFrom(...fields), async (term, field) => {
      terms.add(term);
      expect(await expectFound(field, term, [40])).toBeGreaterThanOrEqual(0);
    });
    await fc.assert(property, { seed, numRuns: 120 });
    expect(await countDivided([...terms])).toBeGreaterThan(30);
  });
});
