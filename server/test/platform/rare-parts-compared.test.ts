import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/db/client.ts';
import { rareParts } from '../../src/db/rare-parts.ts';
import { createLog } from '../../src/log.ts';
import { createIcuDatabase } from '../support/icu-database.ts';
import { createTestDatabase } from '../support/test-app.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

let pools: pg.Pool[];

/** One that makes letters small one by one, and one that looks at the whole word. */
beforeAll(async () => {
  const urls = [await createTestDatabase(), await createIcuDatabase()];
  pools = urls.map((url) => createPool(url, 1, createLog('silent')));
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
});

describe('the rare parts of a term', () => {
  it('are in whatever the term is in, as texts are compared', async () => {
    const between = (from: number, to: number) =>
      fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));
    // Most of these are letters with accents, and signs that may become letters.
    const letter = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...'abcxyzIS019 -_%\\éßÆı') },
      between(0xa0, 0x24f),
      between(0x1e00, 0x1eff),
      between(0x2010, 0x214f),
    );
    const term = fc.oneof(
      fc.string({ unit: letter, minLength: 4, maxLength: 14 }).map((text) => text.normalize('NFKC')),
      fc.string({ unit: fc.oneof(letter, fc.constantFrom(...'ΣςΟйＡ佐\u0301\u0307')), maxLength: 14 }),
      // A stroke makes another sign of the one before it, which has no form without.
      fc.string({ unit: fc.constantFrom(...'abc<=>\u0338'), minLength: 5, maxLength: 14 }),
      fc.string({ unit: 'grapheme', maxLength: 14 }),
    );
    const rarity = fc.func(fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share ** 12));
    const pairs = fc
      .sample(fc.tuple(term, rarity), { seed, numRuns: 6_000 })
      .filter(([whole]) => whole.isWellFormed() && !whole.includes('\0'))
      .flatMap(([whole, commonness]) => rareParts(whole, commonness).parts.map((part) => ({ whole, part })))
      .filter(({ whole, part }) => whole !== part);
    expect(pairs.length).toBeGreaterThan(500);
    for (const pool of pools) {
      const { rows } = await pool.query(
        `select whole, part from unnest($1::text[], $2::text[]) as t (whole, part)
       where strpos(search_text(whole), search_text(part)) = 0`,
        [pairs.map(({ whole }) => whole), pairs.map(({ part }) => part)],
      );
      expect(rows).toEqual([]);
    }
  });
});
