import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Commonness, rareParts } from '../../src/db/rare-parts.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

/** All three letters of these texts are as common as is said, and any others are in one of ten thousand. */
function among(...given: [text: string, share: number][]): Commonness {
  const known = new Map(
    given.flatMap(([text, share]) =>
      [...text].map((_, place) => [text.slice(place, place + 3), share] as const),
    ),
  );
  return (trigram) => known.get(trigram) ?? 0.0001;
}

const partsOf = (term: string, commonness: Commonness) => rareParts(term, commonness).parts;

const anyCommonness = fc.func(fc.double({ min: 0, max: 1, noNaN: true }));
const plainTerm = fc.string({ unit: fc.constantFrom(...'abcdexyz0189'), minLength: 3, maxLength: 40 });
const anyTerm = fc.oneof(
  plainTerm,
  fc.string({ unit: fc.constantFrom(..."abcABC012 -_%\\'.éßÆłİ№ﬁ°½Σςй佐\u0301"), minLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);

const runs = { seed, numRuns: 500 };

describe('the rare parts of a term', () => {
  it('are in the term, one after the other, of three letters at least', () => {
    fc.assert(
      fc.property(anyTerm, anyCommonness, (term, commonness) => {
        const { parts, share } = rareParts(term, commonness);
        expect(parts.length).toBeGreaterThan(0);
        let from = 0;
        for (const part of parts) {
          const place = term.indexOf(part, from);
          expect(place, `${JSON.stringify(part)} in ${JSON.stringify(term)}`).toBeGreaterThanOrEqual(from);
          if (part !== term) expect([...part].length).toBeGreaterThanOrEqual(3);
          from = place + part.length;
        }
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });

  it('hold the rarest three letters, which say how many texts may have the term', () => {
    fc.assert(
      fc.property(plainTerm, anyCommonness, (term, commonness) => {
        const trigramsOf = (text: string) =>
          Array.from({ length: text.length - 2 }, (_, place) => text.slice(place, place + 3));
        const listed = (texts: string[]) => texts.flatMap(trigramsOf).map((trigram) => commonness(trigram));
        const { parts, share } = rareParts(term, commonness);
        expect(share).toBe(Math.min(...listed([term])));
        expect(listed(parts)).toContain(share);
      }),
      runs,
    );
  });

  it('are the digits of a term that is common words for the rest', () => {
    const commonness = among([' invoice ', 0.6], [' 2026 ', 0.4], ['  6', 0.1]);
    expect(rareParts('Invoice 2026-66970', commonness)).toEqual({ parts: ['66970'], share: 0.0001 });
    expect(rareParts('66970 invoice 2026', commonness)).toEqual({ parts: ['66970 '], share: 0.0001 });
  });

  it('are several where each spares more records than it costs, and no common ones beside rare ones', () => {
    const commonness = among([' anna ', 0.3], ['  z', 0.3]);
    expect(partsOf('xyl anna zyq', commonness)).toEqual(['xyl ', 'zyq']);
    const equally = () => 0.3;
    expect(partsOf('anna maria', equally)).toEqual(['anna maria']);
  });

  it('are the rarest one alone where there are other filters to choose from', () => {
    const commonness = among([' anna ', 0.3], ['  x', 0.3], ['  z', 0.3], [' zyq ', 0.001]);
    expect(partsOf('xyl anna zyq', commonness)).toEqual(['xyl ', 'zyq']);
    expect(rareParts('xyl anna zyq', commonness, false)).toEqual({ parts: ['xyl '], share: 0.0001 });
    expect(rareParts('zyq anna xyl', commonness, false)).toEqual({ parts: ['xyl'], share: 0.0001 });
    expect(rareParts('xy', commonness, false)).toEqual({ parts: ['xy'], share: 1 });
  });

  it('leave out the beginning of a word whose first letter is common', () => {
    const begins = among(['  b', 0.9]);
    expect(rareParts('- byq', begins)).toEqual({ parts: ['byq'], share: 0.0001 });
    expect(rareParts('- by', begins)).toEqual({ parts: [' by'], share: 0.9 });
    expect(partsOf('- byq', among())).toEqual([' byq']);
  });

  it('are looked up as the index has them, small and without accents, and are themselves as they were', () => {
    const asked = new Set<string>();
    const { parts } = rareParts('MÜLÉ x.ÀB', (trigram) => {
      asked.add(trigram);
      return trigram === 'mul' ? 0 : 0.9;
    });
    expect(asked).toEqual(new Set(['mul', 'ule', 'le ', ' ab', '  a']));
    expect(parts).toEqual(['MÜL']);
  });

  it.each([
    ['one letter', 'x'],
    ['two letters', 'xy'],
    ['two characters that are four units', '𝒳𝒴'.normalize('NFKC')],
    ['no three letters in a row', 'x y-z 1 2.3'],
    ['signs', '%%%_\\\\'],
    ['letters that have no form without an accent', 'łßæ'],
  ])('are the whole of a term with %s', (_, term) => {
    expect(rareParts(term, () => 0.001)).toEqual({ parts: [term], share: 1 });
  });

  it.each([
    ['Greek, where the end of a word changes its letters', 'abc ΟΔΟΣ', ['abc ']],
    ['Cyrillic', 'abc Йван', ['abc ']],
    ['Chinese', 'abc佐々木', ['abc']],
    ['Arabic', 'abc محمد', ['abc ']],
    ['a letter with its accent apart', 'jose\u0301 abc', ['jos', ' ab']],
    ['a letter whose accent stays', 'abcx\u0301', ['abc']],
    ['a sign that a stroke makes another of', 'abc<\u0338', ['abc']],
    ['a ligature', 'ﬁnal abc', ['nal ab']],
    ['a sign that becomes letters', '№ 12345', [' 12345']],
    ['a small letter above the line', 'n.º 12345', [' 12345']],
    ['wide letters', 'Ａｂｃ abc', [' abc']],
    ['a fraction', 'abc ½', ['abc ']],
  ])('leave out %s', (_, term, parts) => {
    expect(rareParts(term, () => 0.001)).toEqual({ parts, share: 0.001 });
  });
});
