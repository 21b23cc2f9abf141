import { createCustomerInput } from '@customer-database/contract/customers';
import { documentTypes } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { demoDocuments } from '../../src/demo/documents.ts';
import { demoFile } from '../../src/demo/files.ts';
import { demoCustomers } from '../../src/demo/people.ts';
import { cleanFilename, filenameKey, isTooLong } from '../../src/modules/documents/filename.ts';
import { recogniseContent } from '../../src/modules/documents/filetypes/recognise.ts';

const title = 'Contract "A & B" <2024> (x) \\ Ł';
const paragraphs = [
  'Grüße aus Łódź',
  'Nguyễn Thị Hương pays 5 €',
  '東京 😀 مصر',
  'line\nbreak\u0000 and \ud800 half',
];
const manyParagraphs = Array.from(
  { length: 150 },
  (_, n) => `Paragraph ${n} ${'with some words '.repeat(n % 20)}`,
);

describe('a demo PDF', () => {
  const readNumber = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);

  function shownText(file: string): string[] {
    const decoder = new TextDecoder('windows-1252');
    return [...file.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, hex = '']) =>
      decoder.decode(Buffer.from(hex, 'hex')),
    );
  }

  it.each([
    ['short', paragraphs, 1],
    ['long', manyParagraphs, 10],
  ])('that is %s has a correct table of objects and all its pages', (_, text, leastPages) => {
    const file = demoFile('pdf', title, text).toString('latin1');
    const table = readNumber(file, /startxref\n(\d+)\n%%EOF\n$/);
    expect(file.slice(table)).toMatch(/^xref\n0 \d+\n0000000000 65535 f \n/);
    const entries = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) =>
      Number(offset),
    );
    expect(entries.length + 1).toBe(readNumber(file, /\/Size (\d+)/));
    for (const [index, offset] of entries.entries()) {
      expect(file.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
    }
    const pages = readNumber(file, /\/Count (\d+)/);
    expect(pages).toBeGreaterThanOrEqual(leastPages);
    expect(file.match(/\/Type \/Page /g)).toHaveLength(pages);
    const streams = [...file.matchAll(/\/Length (\d+) >>\nstream\n/g)];
    expect(streams).toHaveLength(pages);
    for (const { index, 0: opening, 1: length } of streams) {
      expect(file.slice(index + opening.length + Number(length))).toMatch(/^\nendstream\nendobj\n/);
    }
  });

  it('shows its text, as far as its fonts have the letters', () => {
    const lines = shownText(demoFile('pdf', title, paragraphs).toString('latin1'));
    expect(lines).toEqual([
      'Contract "A & B" <2024> (x) \\ L',
      'Grüße aus Lódz',
      'Nguyen Thi Huong pays 5 €',
      '?? ? ???',
      'line break and ? half',
    ]);
    const shown = shownText(demoFile('pdf', 'T', manyParagraphs).toString('latin1')).join(' ');
    expect(shown.split(/\s+/).join(' ')).toBe(
      ['T', ...manyParagraphs].join(' ').split(/\s+/).join(' ').trim(),
    );
  });

  it('keeps every line and page within the sheet', () => {
    const file = demoFile('pdf', 'W'.repeat(300), ['x'.repeat(500), ...manyParagraphs]).toString('latin1');
    for (const line of shownText(file)) expect(line.length).toBeLessThanOrEqual(84);
    for (const [page] of file.matchAll(/^BT\n[\s\S]*?\nET$/gm)) {
      const moves = [...page.matchAll(/^0 -(\d+) Td$/gm)].map(([, distance]) => Number(distance));
      expect(moves.reduce((sum, distance) => sum + distance, 0)).toBeLessThanOrEqual(842 - 2 * 57);
    }
  });
});

describe('a demo DOCX', () => {
  it('unzips into well-formed parts that hold the text', () => {
    const parts = unzipSync(demoFile('docx', title, paragraphs));
    expect(Object.keys(parts)).toEqual(
      expect.arrayContaining(['[Content_Types].xml', '_rels/.rels', 'word/document.xml', 'word/styles.xml']),
    );
    const document = strFromU8(parts['word/document.xml'] ?? new Uint8Array());
    const texts = [...document.matchAll(/<w:t xml:space="preserve">([^<]*)<\/w:t>/g)].map(([, text]) => text);
    expect(texts).toEqual([
      'Contract "A &amp; B" &lt;2024&gt; (x) \\ Ł',
      paragraphs[0],
      paragraphs[1],
      paragraphs[2],
      'line break  and \ufffd half',
    ]);
  });
});

describe('a demo DOC', () => {
  it('has a header whose tables lead to the text, paragraph by paragraph', () => {
    const file = demoFile('doc', title, manyParagraphs);
    const main = file.subarray(512);
    const pair = (place: number) =>
      [main.readUInt32LE(154 + place * 8), main.readUInt32LE(158 + place * 8)] as const;
    const mainSize = file.readUInt32LE(file.indexOf(Buffer.from('WordDocument', 'utf16le')) + 120);
    const tables = file.subarray(512 + mainSize);
    const [pieces, piecesLength] = pair(33);
    expect(tables.readUInt8(pieces)).toBe(2);
    expect(tables.readUInt32LE(pieces + 1)).toBe(piecesLength - 5);
    const characters = tables.readUInt32LE(pieces + 9);
    expect(characters).toBe(main.readUInt32LE(76));
    const textOffset = tables.readUInt32LE(pieces + 15);
    const text = main.toString('utf16le', textOffset, textOffset + characters * 2);
    expect(text).toBe([title, ...manyParagraphs].map((line) => `${line}\r`).join(''));

    const [index, indexLength] = pair(13);
    const pageCount = (indexLength - 4) / 8;
    const bounds: number[] = [];
    for (let n = 0; n < pageCount; n += 1) {
      const page = tables.readUInt32LE(index + (pageCount + 1 + n) * 4) * 512;
      expect(main.readUInt32LE(page)).toBe(tables.readUInt32LE(index + n * 4));
      for (let entry = 1; entry <= main.readUInt8(page + 511); entry += 1)
        bounds.push(main.readUInt32LE(page + entry * 4));
    }
    const ends = [...text.matchAll(/\r/g)].map((match) => textOffset + (match.index + 1) * 2);
    expect(bounds).toEqual(ends);
  });
});

describe('demo data', () => {
  const customers = demoCustomers(600);
  const documents = customers.map((customer, index) => demoDocuments(index, customer));

  it('is the same every time, and its beginning does not depend on its length', () => {
    expect(demoCustomers(50)).toEqual(customers.slice(0, 50));
    expect(demoDocuments(7, customers[7] ?? expect.unreachable())).toEqual(documents[7]);
    expect(demoFile('docx', title, paragraphs)).toEqual(demoFile('docx', title, paragraphs));
  });

  it('holds customers that the product itself would accept', () => {
    for (const customer of customers) {
      expect(createCustomerInput.parse(customer)).toEqual(customer);
      expect(customer.email).toMatch(/^[a-z]+\.[a-z]+\d*@example\.(com|org|net)$/);
    }
    expect(new Set(customers.map((customer) => customer.email)).size).toBe(customers.length);
  });

  it('covers many scripts and is skewed', () => {
    const names = customers.map((customer) => customer.name).join(' ');
    for (const sample of [
      /[éèç]/,
      /[äöüß]/,
      /[łąęś]/,
      /[ışğ]/,
      /[ễạị]/,
      /\p{Script=Han}/u,
      /\p{Script=Arabic}/u,
    ]) {
      expect(names).toMatch(sample);
    }
    const counts = documents.map((papers) => papers.length).sort((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(2);
    expect(counts.at(-1)).toBeGreaterThanOrEqual(20);
  });

  it('names documents in a way that needs no cleaning and repeats none per customer', () => {
    for (const papers of documents) {
      const keys = new Set(papers.map((paper) => filenameKey(paper.filename)));
      expect(keys.size).toBe(papers.length);
      for (const { filename, title: heading, description, paragraphs: body } of papers) {
        expect(cleanFilename(filename)).toBe(filename);
        expect(isTooLong(filename)).toBe(false);
        expect((description ?? '').length).toBeLessThanOrEqual(limits.descriptionLength);
        expect([heading, ...body].join(' ')).not.toMatch(/[{}]/);
      }
    }
  });

  it('makes files that the product itself would accept and that show their text', async () => {
    for (const paper of documents.flat().slice(0, 300)) {
      const bytes = demoFile(paper.kind, paper.title, paper.paragraphs);
      const mimeType = documentTypes[`.${paper.kind}`];
      expect(await recogniseContent({ filename: paper.filename, mimeType, bytes })).toMatchObject({
        mimeType,
      });
      expect(bytes.length).toBeLessThan(20_000);
    }
  });

  it('shows no question marks in its PDFs', () => {
    for (const paper of documents.flat().filter(({ kind }) => kind === 'pdf')) {
      const file = demoFile('pdf', paper.title, paper.paragraphs).toString('latin1');
      const hex = [...file.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, line]) => line);
      expect(Buffer.from(hex.join(''), 'hex').toString('latin1')).not.toContain('?');
    }
  });
});
