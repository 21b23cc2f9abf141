import { cpuMsOf } from '@customer-database/testkit/cpu-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanFilename,
  filenameKey,
  firstFreeFilename,
  maxFilenameBytes,
  numberedFilename,
} from '../../src/modules/documents/filename.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      '.',
      ' ',
      '/',
      '\\',
      'a',
      'é',
      'e\u0301',
      '\u200d',
      '\u202e',
      '\ufeff',
      '\n',
      '\u3000',
      '😀',
    ),
    maxLength: 12,
  }),
);

describe('cleanFilename', () => {
  it.each([
    ['C:\\Users\\anna\\Contract 2024.pdf', 'Contract 2024.pdf'],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['mixed\\up/name.doc', 'name.doc'],
    ['line\r\nbreak\u0000.txt', 'linebreak.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['\ufeff report\u2028.pdf ', 'report.pdf'],
    ['e\u200e\u0301te\u0301.txt', 'été.txt'],
    ['  ..notes.txt.. ', 'notes.txt'],
    ['no extension', 'no extension'],
    ['%2e%2e%2fa.pdf', '%2e%2e%2fa.pdf'],
    ['trailing.pdf. . .', 'trailing.pdf'],
    ['\u200fmark\u2067ed\u2069.pdf', 'marked.pdf'],
    ['👩‍👩‍👧 “family” \'photo\' "x" 100%; a=b.pdf', '👩‍👩‍👧 “family” \'photo\' "x" 100%; a=b.pdf'],
    ['عقد الإيجار.docx', 'عقد الإيجار.docx'],
    ['合同.pdf', '合同.pdf'],
  ])('%j becomes %j', (raw, clean) => {
    expect(cleanFilename(raw)).toBe(clean);
  });

  it('finds nothing usable without visible characters before the extension', () => {
    const invisible = [' \u200b.pdf', '\u0301.pdf', '\u0000'];
    for (const raw of ['', '   ', '.', '..', 'folder/', '.pdf', '..pdf', 'a\ud800.pdf', ...invisible])
      expect(cleanFilename(raw), JSON.stringify(raw)).toBeUndefined();
  });

  it('leaves no separators, control characters, direction marks or outer blanks in any input', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const clean = cleanFilename(raw);
        if (clean === undefined) return;
        expect(clean).not.toMatch(/[/\\\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u);
        expect(clean).not.toMatch(/^[\s.]|[\s.]$|^$/u);
        expect(clean.normalize('NFC')).toBe(clean);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanFilename(clean)).toBe(clean);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes linear time on a long run of blanks', async () => {
    const name = `a${' '.repeat(300_000)}b`;
    const cost = await cpuMsOf(() => expect(cleanFilename(name)).toHaveLength(300_002));
    expect(cost).toBeLessThan(2000);
  });
});

describe('numberedFilename', () => {
  it('puts the number before the extension', () => {
    expect(numberedFilename('document.pdf', 0)).toBe('document.pdf');
    expect(numberedFilename('document.pdf', 1)).toBe('document (1).pdf');
    expect(numberedFilename('v1.2 draft.docx', 12)).toBe('v1.2 draft (12).docx');
    expect(numberedFilename('README', 3)).toBe('README (3)');
  });

  it('shortens the base by whole graphemes', () => {
    const family = '👩‍👩‍👧'; // 18 bytes
    const name = `${family.repeat(13)}abcdefghijklmnopq.pdf`;
    expect(Buffer.byteLength(name)).toBe(255);
    expect(numberedFilename(name, 1)).toBe(`${family.repeat(13)}abcdefghijklm (1).pdf`);
    const tight = `${'x'.repeat(239)}${family.slice(0, 5)}.pdf`;
    expect(numberedFilename(tight, 1)).toBe(`${'x'.repeat(239)} (1).pdf`);
  });

  it('cuts inside a grapheme that is too long by itself', () => {
    const piledUp = `a${'\u0301'.repeat(200)}`;
    expect(numberedFilename(`${piledUp}.txt`, 1)).toBe(`a${'\u0301'.repeat(123)} (1).txt`);
  });

  it('treats an overlong extension as part of the name', () => {
    const numbered = numberedFilename(`a.${'b'.repeat(300)}`, 7);
    expect(numbered).toMatch(/^a\.b+ \(7\)$/);
    expect(Buffer.byteLength(numbered)).toBe(maxFilenameBytes);
  });

  it('never exceeds 255 bytes, keeps the extension and stays well formed', () => {
    const base = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 });
    const extension = fc.constantFrom('.pdf', '.docx', '.doc', '.txt');
    fc.assert(
      fc.property(base, extension, fc.integer({ min: 1, max: 1_000_000 }), (text, ending, n) => {
        const numbered = numberedFilename(text + ending, n);
        expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(maxFilenameBytes);
        expect(numbered.endsWith(` (${n})${ending}`)).toBe(true);
        expect(numbered.isWellFormed()).toBe(true);
        expect(text.startsWith(numbered.slice(0, -` (${n})${ending}`.length))).toBe(true);
      }),
    );
  });
});

describe('filenameKey', () => {
  it.each([
    ['Report.PDF', 'report.pdf'],
    ['ÉTÉ.txt', 'e\u0301te\u0301.txt'],
    ['STRASSE.doc', 'straße.doc'],
    ['STRAẞE.doc', 'straße.doc'],
    ['ΟΔΟΣ.pdf', 'οδος.pdf'],
    ['οδοσ', 'ΟΔΟΣ'],
    ['İZMİR.txt', 'i\u0307zmi\u0307r.txt'],
  ])('%s and %s are one name', (one, other) => {
    expect(filenameKey(one)).toBe(filenameKey(other));
  });

  it.each([
    ['report.pdf', 'report.doc'],
    ['resume.pdf', 'résumé.pdf'],
    ['x².txt', 'x2.txt'],
    ['a b.txt', 'ab.txt'],
  ])('%s and %s are two names', (one, other) => {
    expect(filenameKey(one)).not.toBe(filenameKey(other));
  });

  it('does not depend on case or composition, for any character of Unicode', () => {
    const unequal: string[] = [];
    for (let code = 1; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const forms = [character.toLowerCase(), character.toUpperCase(), character.normalize('NFD')];
      if (forms.every((form) => form === character)) continue;
      const key = filenameKey(character);
      if ([...forms, key].some((form) => filenameKey(form) !== key)) unequal.push(code.toString(16));
    }
    expect(unequal).toEqual([]);
  });
});

it('numbers a filename that is taken', () => {
  const taken = new Set(['a.pdf', 'A (1).pdf', 'a (3).pdf'].map(filenameKey));
  expect(firstFreeFilename('b.pdf', taken)).toBe('b.pdf');
  expect(firstFreeFilename('A.pdf', taken)).toBe('A (2).pdf');
});
