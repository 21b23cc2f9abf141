import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCsvScanner } from '../../src/modules/customers/csv-scanner.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

/** The text in pieces, as a file comes. */
function scanned(text: string, cuts: number[] = []) {
  const scanner = createCsvScanner(',');
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const lines = places.slice(1).flatMap((end, index) => scanner.scan(text.slice(places[index], end), false));
  return [...lines, ...scanner.scan('', true)];
}

/** As a library reads it that is made for correctness and not for speed. */
function byLibrary(text: string): string[][] {
  const lines: string[][] = parse(text, {
    bom: true,
    trim: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // A pair of quotes alone in a line is nothing either.
  return lines.filter((values) => values.length > 1 || values[0] !== '');
}

const outcomeOf = (read: () => unknown) => {
  try {
    return { read: read() };
  } catch (error) {
    const isRefusal =
      error instanceof CsvError || (error instanceof Error && /^Line \d+/.test(error.message));
    if (!isRefusal) throw error;
    return 'refused';
  }
};

const piece = fc.constantFrom(
  'a',
  'b',
  'é',
  '😀',
  ' ',
  '\t',
  ',',
  ';',
  '"',
  '""',
  '\n',
  '\r',
  '\r\n',
  '","',
  'a,b',
  '"\n"',
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(60), { maxLength: 4 });

describe('A text of comma-separated values', () => {
  it('is read, or refused, as a library does, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(text, cuts, (content, at) => {
        // The library takes what stands between these for the beginning of a value, or for nothing.
        fc.pre(!/"[ \t]+"/.test(content));
        const ours = outcomeOf(() => scanned(content, at).map(({ values }) => values));
        expect(ours).toEqual(outcomeOf(() => byLibrary(content)));
      }),
      { seed, numRuns: 20_000 },
    );
  });

  it('has its lines counted as an editor counts them, in whatever pieces it comes', () => {
    const value = fc.constantFrom('a', '"b\nc"', '"d\r\ne\rf"', '""', '" "');
    const line = fc.tuple(
      fc.array(value, { minLength: 2, maxLength: 3 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), cuts, (lines, at) => {
        const starts: number[] = [];
        let content = '';
        for (const [values, end] of lines) {
          starts.push(content.split(/\r\n|[\r\n]/).length);
          content += values.join(',') + end;
        }
        expect(scanned(content, at).map((found) => found.line)).toEqual(starts);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    ['a value that never ends', `"${'a'.repeat(100_001)}`],
    ['a value that ends far away', `"${'a'.repeat(100_001)}"\n`],
    ['a line without quotes', 'a,'.repeat(50_001)],
  ])('is refused at %s, without waiting for its end', (_, content) => {
    const scanner = createCsvScanner(',');
    expect(scanner.scan('a,b\n', false)).toHaveLength(1);
    expect(() => scanner.scan(content, false)).toThrow(
      'Line 2 cannot be read: there is no end within 100000',
    );
  });

  it('is read no further than asked for', () => {
    expect(createCsvScanner(',').scan('\na,b\nwrong"', false, 1)).toEqual([{ line: 2, values: ['a', 'b'] }]);
  });
});
