import { createExtractor } from '@customer-database/extractor/extractor';
import { afterFile } from '@customer-database/testkit/cleanup';
import { type PdfPage, pdfOf } from '@customer-database/testkit/pdf-builder';
import { squaresPage } from '@customer-database/testkit/pdf-fonts';
import { describe, expect, it } from 'vitest';

const extractor = createExtractor({
  cpuMs: 60_000,
  timeoutMs: 120_000,
  maxResidentBytes: 768 * 1024 * 1024,
});
afterFile(() => extractor.close());

async function read(page: PdfPage) {
  const bytes = pdfOf([page]);
  const answer = await extractor.ask(() => ({ kind: 'text', bytes }));
  if (answer.outcome !== 'text') throw new Error(answer.outcome);
  const { text, isPicture } = answer.result.pages[0] ?? { text: '', isPicture: false };
  return { text, isPicture };
}

const textOf = async (page: PdfPage): Promise<string> => (await read(page)).text;

/** Lines in Helvetica, from the top of the page. */
const drawn = (...lines: string[]): PdfPage => ({
  content: Buffer.from(
    `BT /F1 14 Tf 60 760 Td 18 TL ${lines.map((line) => `${line} T*`).join(' ')} ET`,
    'latin1',
  ),
});

/** The lines of a paragraph, the first one at the top. */
const linesFrom = (texts: string[], left = 60, distance = 18) =>
  texts.map((text, place) => ({ text, left, bottom: 760 - place * distance }));

const paragraph = ['供应商应在三十天内交付办公家', '具并负责三年维修本合同自双方', '签字之日起生效'];

describe('A Chinese or Japanese text', () => {
  it.each([0, 90, 180, 270])(
    'is one text across its lines if the page is turned by %i degrees',
    async (rotation) => {
      expect(await textOf(squaresPage(linesFrom(paragraph), { rotation }))).toBe(paragraph.join(''));
    },
  );

  it('is one text also if its first line is indented', async () => {
    const [first, ...others] = linesFrom(paragraph);
    const indented = { left: 84, bottom: first?.bottom ?? 0, text: paragraph[0]?.slice(0, -2) ?? '' };
    expect(await textOf(squaresPage([indented, ...others]))).toBe(
      indented.text + paragraph.slice(1).join(''),
    );
  });

  it('is one text in a font that claims to be higher than its letters', async () => {
    expect(await textOf(squaresPage(linesFrom(paragraph), { isTall: true }))).toBe(paragraph.join(''));
  });

  it('has letters where its font names the radicals of dictionaries', async () => {
    expect(await textOf(squaresPage(linesFrom(['\u2edb\u2ecb\u2f08\u2f17\u9f8d'])))).toBe(
      '\u98ce\u8f66\u4eba\u5341\u9f8d',
    );
  });

  it('is one text if it is written from top to bottom', async () => {
    const columns = paragraph.map((text, place) => ({ text, left: 500 - place * 20, bottom: 760 }));
    expect(await textOf(squaresPage(columns, { isVertical: true }))).toBe(paragraph.join(''));
  });

  it.each<[string, Parameters<typeof squaresPage>[0]]>([
    [
      'a heading',
      [
        { text: '办公家具供应合同', left: 60, bottom: 790, size: 20 },
        ...linesFrom(['供应商应在三十天内交付']),
      ],
    ],
    ['short items of a list', linesFrom(['桌子', '椅子', '灯'])],
    ['a line that ends early', linesFrom(['供应商应在三十天内', '交付办公家具并负责三年维修本合同'])],
    ['paragraphs at a distance', linesFrom(['供应商应在三十天内交付', '负责三年维修本合同自双'], 60, 40)],
    [
      'cells of a table',
      ['数量单价合计', '供应商合同号'].flatMap((text, row) =>
        [...text].map((cell, column) => ({ text: cell, left: 60 + column * 40, bottom: 760 - row * 18 })),
      ),
    ],
  ])('keeps %s apart', async (_kind, lines) => {
    const text = await textOf(squaresPage(lines));
    expect(text.split(/\s/).toSorted()).toEqual(lines.map((line) => line.text).toSorted());
  });
});

describe('A spaced word', () => {
  it('is read as a word if each letter was placed by itself', async () => {
    const letters = [...'Rechnung'].map((letter) => `(${letter}) Tj`).join(' 16 0 Td ');
    expect(await textOf(drawn(letters))).toBe('Rechnung');
  });

  it('is read as a word if it was typed with spaces', async () => {
    expect(await textOf(drawn('(I N V O I C E   N U M B E R 4711) Tj'))).toBe('INVOICE NUMBER 4711');
  });

  it.each([
    'a b c d e f',
    'Plan B C D',
    'x x x x',
    'we do it as he is on it',
    '1 2 5 4 3',
    '. . . . . 7',
    'I B M',
  ])('leaves %j as it is', async (line) => {
    expect(await textOf(drawn(`(${line}) Tj`))).toBe(line);
  });

  it('leaves the letters in the columns of a table apart', async () => {
    const cells = [...'MDMDFSS'].map((letter) => `(${letter}) Tj`).join(' 40 0 Td ');
    expect(await textOf(drawn(cells))).toBe('M D M D F S S');
  });
});

describe('A blank', () => {
  it('divides no word if it takes no place', async () => {
    expect(await textOf(drawn('[(This docu ) 278 (ment)] TJ'))).toBe('This document');
  });

  it.each([-100, 0, 100])('divides words if its width is changed by %i', async (moved) => {
    expect(await textOf(drawn(`[(This docu ) ${moved} (ment)] TJ`))).toBe('This docu ment');
  });
});

describe('A word that a hyphen divides at the end of a line', () => {
  it.each([
    ['a hyphen', '-'],
    ['an optional hyphen', '\\255'],
  ])('is read as one word after %s', async (_kind, hyphen) => {
    expect(await textOf(drawn(`(of this docu${hyphen}) Tj`, '(ment) Tj'))).toBe('of this document');
  });

  it('is read as one word after the hyphen of Unicode', async () => {
    expect(await textOf(squaresPage(linesFrom(['of this docu\u2010', 'ment'])))).toBe('of this document');
  });
});

describe('Text in a font that does not say which letters it has', () => {
  const sentence = 'The supplier delivers desks and chairs within thirty days after the order was confirmed.';
  const numbered = Array.from({ length: 95 }, (_, index) => `/g${index}`).join(' ');
  const unmapped = `/F2 << /Type /Font /Subtype /Type1 /BaseFont /Part /Encoding << /Differences [32 ${numbered}] >> >>`;
  const page = (text: string, mapped = 'Delivery note'): PdfPage => ({
    content: Buffer.from(`BT /F1 12 Tf 60 760 Td (${mapped}) Tj /F2 12 Tf 0 -20 Td (${text}) Tj ET`),
    resources: `/Font << /F1 3 0 R ${unmapped} >>`,
  });
  const shifted = (text: string) =>
    [...text].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 1)).join('');

  it('is left out, and the page is for OCR', async () => {
    expect(await read(page(shifted(sentence)))).toEqual({ text: 'Delivery note', isPicture: true });
  });

  it('is kept if it makes sense all the same', async () => {
    expect(await read(page(sentence))).toEqual({ text: `Delivery note\n${sentence}`, isPicture: false });
  });

  it('is kept if it is a small part of the page', async () => {
    const text = `${sentence}\n!"#`;
    expect(await read(page('!"#', sentence))).toEqual({ text, isPicture: false });
  });
});
